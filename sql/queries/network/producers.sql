-- name:    producers
-- serves:  listValidators
-- params:  from_block: first block to read
-- returns: producers of the newest blocks, most blocks first. Every row repeats the number of blocks read
-- reads:   blocks by primary key
-- budget:  10 s, 512 MiB, 10_000 rows
SELECT concat('0x', lower(hex(miner))) AS address, count() AS block_count, max(block_number) AS last_block, toUInt32(max(timestamp)) AS last_time,
    toString(sum(fees) - sum(burned)) AS tips, toUInt64(sum(count()) OVER ()) AS window_total, count() OVER () AS producers
FROM
(
    SELECT block_number, miner, timestamp, fees, burned FROM blocks
    WHERE {{visible}} AND block_number >= {from_block:UInt64}
    LIMIT 1 BY block_number
)
GROUP BY miner
ORDER BY block_count DESC, miner
LIMIT {limit:UInt32}
