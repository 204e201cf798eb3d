-- name:    block_gaps
-- serves:  verify
-- returns: one row if blocks are missing between the first and the last visible block, except those that the backfill has not stored
-- reads:   blocks: block numbers
-- budget:  300 s, 4096 MiB, 1 row
SELECT concat(toString(missing), ' blocks are missing') AS detail
FROM
(
    SELECT max(block_number) - min(block_number) + 1 - uniqExact(block_number)
        - greatest(toInt64({follow_from:UInt64}) - toInt64({backfilled_before:UInt64}), 0) AS missing
    FROM blocks WHERE {{visible}}
)
WHERE missing > 0
