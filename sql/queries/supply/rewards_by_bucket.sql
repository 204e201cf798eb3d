-- name:    rewards_by_bucket
-- serves:  getChart, getLine, compatible stats.dailyblockrewards
-- params:  contract: 40 hex digits: contract that mints block rewards
-- returns: amount of block rewards in wei, from events of the contract, per time bucket with rewards
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 1_000_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS wei
FROM ({{rewards_of_contract(block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
GROUP BY time
ORDER BY time
