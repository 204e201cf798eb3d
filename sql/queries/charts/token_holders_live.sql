-- name:    token_holders_live
-- serves:  getChart
-- params:  snapshot | subjects Array(String) 40 hex digits | from_block UInt64 first block after the closed hours | bucket_seconds UInt32
--          | base_block UInt64 start of the last rollup window that is closed or contains from_block
--          | era_blocks UInt64 blocks per rollup window
-- returns: one row per bucket after the closed hours in which the number of holders changed: the change
-- reads:   token_transfers by primary key, holder_balance_eras at the keys found
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time, toString(sum(amount)) AS total
FROM ({{holder_steps((
    SELECT * FROM token_transfers
    WHERE token IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20)) AND block_number >= {base_block:UInt64} AND {{visible}}
    LIMIT 1 BY token, block_number, log_index, batch_index))}})
GROUP BY bucket
