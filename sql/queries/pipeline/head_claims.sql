-- name:    head_claims
-- serves:  pipeline
-- returns: highest claim to follow the head of the chain. Its process writes new blocks
-- reads:   worker_claims with kind head
-- budget:  10 s, 256 MiB, 1 row
SELECT number, worker
FROM worker_claims
WHERE kind = 'head'
ORDER BY number DESC, worker DESC
LIMIT 1
