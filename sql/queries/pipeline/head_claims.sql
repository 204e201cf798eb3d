-- name:    head_claims
-- serves:  pipeline
-- returns: the highest claim to follow the head of the chain; the pipeline process that made this claim writes new blocks
-- reads:   worker_claims with kind head
-- budget:  10 s, 256 MiB, 1 row
SELECT number, worker
FROM worker_claims
WHERE kind = 'head'
ORDER BY number DESC, worker DESC
LIMIT 1
