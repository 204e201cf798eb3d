-- name:    store_claim
-- serves:  pipeline
-- params:  kind: head: to follow the head of the chain; range: to store a block range | seen: store only if this is the highest rank of
--          that kind; negative: always
-- returns: nothing; stores a claim (right of a pipeline process to write blocks), with the highest rank of that kind plus one
-- reads:   worker_claims of the kind
-- budget:  10 s, 256 MiB, 1 row
INSERT INTO worker_claims (kind, number, worker, from_block, to_block, claimed_at)
SELECT {kind:String}, max(number) + 1, {worker:String}, {from_block:UInt64}, {to_block:UInt64}, now64(3)
FROM worker_claims
WHERE kind = {kind:String}
HAVING {seen:Int64} < 0 OR max(number) = {seen:Int64}
