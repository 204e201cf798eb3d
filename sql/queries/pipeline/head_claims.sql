-- name:    head_claims
-- serves:  pipeline
-- params:  none
-- returns: the highest claim to the head
-- reads:   worker_claims of that kind
-- budget:  10 s, 256 MiB, 1 row
SELECT number, worker
FROM worker_claims
WHERE kind = 'head'
ORDER BY number DESC, worker DESC
LIMIT 1
