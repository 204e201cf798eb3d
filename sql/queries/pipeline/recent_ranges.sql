-- name:    recent_ranges
-- serves:  pipeline
-- params:  seconds: age of the oldest entry, relative to the newest one
-- returns: first and last block of each stored range whose journal entry was written last, lowest range first
-- reads:   range_journal, full scan
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT from_block, to_block
FROM range_journal FINAL
WHERE state = 'done' AND written_at >= (SELECT max(written_at) FROM range_journal) - toIntervalSecond({seconds:UInt32})
ORDER BY from_block
