-- name:    range_claims
-- serves:  pipeline
-- params:  above: rank, exclusive
-- returns: claims (rights of pipeline processes to store a block range), highest rank first: the newest of each process, and
--          all with a rank above `above`
-- reads:   worker_claims with kind range
-- budget:  10 s, 256 MiB, 100_000 rows
SELECT number, worker, from_block, to_block
FROM worker_claims
WHERE kind = 'range'
ORDER BY number DESC, worker DESC
LIMIT 1 BY worker, if(number > {above:UInt64}, number, 0)
