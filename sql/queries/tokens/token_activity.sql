-- name:    token_activity
-- serves:  getToken
-- params:  from_block: first block | to_block: last block
-- returns: one row per block time: Unix seconds, and the number of the token's transfers
-- reads:   token_transfers by primary key
-- budget:  10 s, 1024 MiB, 200_000 rows
SELECT toUInt32(timestamp) AS time, count() AS transfers
FROM
(
    SELECT block_number, log_index, batch_index, timestamp FROM token_transfers
    WHERE token = unhex({token:String}) AND {{visible}} AND block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64}
    LIMIT 1 BY block_number, log_index, batch_index
)
GROUP BY time
