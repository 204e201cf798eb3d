-- name:    block_gaps
-- serves:  verify
-- params:  start_block: first block of the index
-- returns: one row if blocks from the first block to the head are missing, except blocks that the backfill has yet to store
-- reads:   blocks: block numbers
-- budget:  300 s, 4096 MiB, 1 row
SELECT concat(toString(missing), ' blocks are missing') AS detail
FROM
(
    SELECT toInt64({head:UInt64}) + 1 - toInt64({start_block:UInt64}) - toInt64(uniqExact(block_number))
        - greatest(toInt64({follow_from:UInt64}) - toInt64({backfilled_before:UInt64}), 0) AS missing
    FROM blocks WHERE {{visible}}
)
WHERE missing > 0
