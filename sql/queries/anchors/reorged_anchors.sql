-- name:    reorged_anchors
-- serves:  listAnchors
-- params:  at_sequence: position of the last row of the previous page
-- returns: blocks that a reorg removed and that did not return to the chain, with their number of stored transactions; highest
--          block first, at the same height the last removed one first
-- reads:   anchor_events (full scan), orphaned_transactions by hash
-- budget:  20 s, 1024 MiB, 201 rows
SELECT number, concat('0x', lower(hex(block_hash))) AS hash_hex, concat('0x', lower(hex(parent))) AS parent_hex, toUInt32(time) AS block_time,
    removal AS sequence,
    toUnixTimestamp64Milli(removed) AS removed_ms,
    transactions
FROM
(
    SELECT hash AS block_hash, any(block_number) AS number, any(parent_hash) AS parent, any(timestamp) AS time, max(anchor_events.sequence) AS removal,
        argMax(kind, anchor_events.sequence) AS last_kind, argMax(written_at, anchor_events.sequence) AS removed
    FROM anchor_events
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND block_number <= {at_block:UInt64}
    GROUP BY hash
    HAVING last_kind = 'removed'
) AS found
LEFT JOIN (SELECT block_hash, uniqExact(tx_index) AS transactions FROM orphaned_transactions GROUP BY block_hash) AS kept USING (block_hash)
WHERE number < {at_block:UInt64} OR (number = {at_block:UInt64} AND removal < {at_sequence:UInt64})
ORDER BY number DESC, removal DESC
LIMIT {limit:UInt32}
