-- name:    token_holders_live
-- serves:  getChart
-- params:  subjects: 40 hex digits: token contracts | from_block: first block after the hours with stored figures
--          | base_block: start of a rollup window, at or before from_block; all earlier windows are stored
-- returns: change of the number of holders of these tokens, per time bucket after the stored hours; no row for no change
-- reads:   token_transfers by primary key, token_balance_eras_by_holder for the addresses found
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time, toString(sum(amount)) AS total
FROM ({{holder_steps((
    SELECT * FROM token_transfers
    WHERE token IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20)) AND block_number >= {base_block:UInt64} AND {{visible}}
    LIMIT 1 BY token, block_number, log_index, batch_index))}})
GROUP BY bucket
