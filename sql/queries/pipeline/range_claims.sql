-- name:    range_claims
-- serves:  pipeline
-- params:  above UInt64 rank, exclusive
-- returns: the newest range claim of each pipeline, and every range claim with a higher rank; highest rank first
-- reads:   worker_claims of that kind
-- budget:  10 s, 256 MiB, 100_000 rows
SELECT number, worker, from_block, to_block
FROM worker_claims
WHERE kind = 'range'
ORDER BY number DESC, worker DESC
LIMIT 1 BY worker, if(number > {above:UInt64}, number, 0)
