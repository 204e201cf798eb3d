-- name:    token_transfers_live
-- serves:  getChart
-- params:  subjects: 40 hex digits: token contracts | from_block: first block after the hours with stored figures
-- returns: number of transfers of these tokens, per time bucket after the stored hours
-- reads:   token_transfers by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS total
FROM
(
    SELECT timestamp, token AS subject, 1 AS amount
    FROM token_transfers
    WHERE token IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20)) AND block_number >= {from_block:UInt64} AND {{visible}}
    LIMIT 1 BY token, block_number, log_index, batch_index
)
WHERE subject IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20))
GROUP BY time
