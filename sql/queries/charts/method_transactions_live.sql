-- name:    method_transactions_live
-- serves:  getChart
-- params:  subjects: 40 hex digits: methods, first 4 bytes of the call data, padded with zeros
--          | from_block: first block after the hours with stored figures
-- returns: number of calls of these methods per time bucket after the stored hours
-- reads:   transactions by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS total
FROM
(
    SELECT timestamp, toFixedString(substring(input, 1, 4), 20) AS subject, 1 AS amount
    FROM transactions WHERE block_number >= {from_block:UInt64} AND {{visible}} AND to IS NOT NULL AND length(input) >= 4 LIMIT 1 BY block_number, tx_index
)
WHERE subject IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20))
GROUP BY time
