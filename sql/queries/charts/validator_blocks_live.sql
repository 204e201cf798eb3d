-- name:    validator_blocks_live
-- serves:  getChart
-- params:  subjects: 40 hex digits: block producers | from_block: first block after the hours with stored figures
-- returns: number of blocks of these producers, per time bucket after the stored hours
-- reads:   blocks by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS total
FROM
(
    SELECT block_number, timestamp, miner AS subject, 1 AS amount
    FROM blocks WHERE block_number >= {from_block:UInt64} AND {{visible}} LIMIT 1 BY block_number
)
WHERE subject IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20))
GROUP BY time
