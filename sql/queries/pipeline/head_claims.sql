-- name:    head_claims
-- serves:  pipeline
-- params:  none
-- returns: the claim with the highest rank to follow the head: the pipeline that made it follows the head
-- reads:   worker_claims of that kind
-- budget:  10 s, 256 MiB, 1 row
SELECT number, worker
FROM worker_claims
WHERE kind = 'head'
ORDER BY number DESC, worker DESC
LIMIT 1
