-- name:    stored_fail_reasons
-- serves:  pipeline
-- params:  to_block: last block, inclusive; it is finalized
-- returns: failure reasons of stored wallet events (knots) of the block range. A node may have pruned the state from which they
--          come
-- reads:   transactions by primary key; for senders of failed ones, knots by primary key; shapes by primary key
-- budget:  60 s, 1024 MiB, 1_000_000 rows
WITH
    failed AS (
        SELECT hash, from, timestamp
        FROM transactions
        WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND status = 0),
    events AS (
        SELECT tx_hash, shape_id
        FROM knots FINAL
        WHERE (wallet, timestamp) IN (SELECT from, timestamp FROM failed) AND tx_hash IN (SELECT hash FROM failed))
SELECT concat('0x', lower(hex(tx_hash))) AS hash, any(fail_reason) AS reason
FROM events
INNER JOIN (
    SELECT shape_id, fail_reason
    FROM shapes
    WHERE fail_reason != '' AND shape_id IN (SELECT shape_id FROM events)) AS reasons USING (shape_id)
GROUP BY tx_hash
