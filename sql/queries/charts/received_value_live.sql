-- name:    received_value_live
-- serves:  getChart
-- params:  subjects: 40 hex digits: recipients | from_block: first block after the hours with stored figures
-- returns: native currency that these addresses received, wei, per time bucket after the stored hours
-- reads:   transactions by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS total
FROM
(
    SELECT timestamp, assumeNotNull({{recipient}}) AS subject, value AS amount
    FROM transactions
    WHERE block_number >= {from_block:UInt64} AND {{visible}} AND value > 0 AND ifNull(status, 1) = 1 AND {{recipient}} IS NOT NULL
        LIMIT 1 BY block_number, tx_index
)
WHERE subject IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20))
GROUP BY time
