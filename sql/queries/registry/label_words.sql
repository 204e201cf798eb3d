-- name:    label_words
-- serves:  searchKnots
-- returns: words of the names of registered accounts (not tokens), lower case
-- reads:   registry_labels, full scan
-- budget:  10 s, 256 MiB, 100_000 rows
SELECT DISTINCT arrayJoin(splitByNonAlpha(lowerUTF8(label))) AS word
FROM registry_labels
WHERE kind != 'asset'
LIMIT {limit:UInt32}
