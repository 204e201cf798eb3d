-- name:    live_totals
-- serves:  getStats, listCounters
-- params:  snapshot | from_block UInt64 first block of no closed hour
-- returns: one row; totals over everything visible from that block on, and the addresses that took part for the first time
-- reads:   blocks, transactions and logs since the last closed hour, actor_firsts at the keys found
-- budget:  20 s, 2048 MiB, 1 row
SELECT
    toUInt64(sum(blocks)) AS blocks, toUInt64(sum(transactions)) AS transactions, toUInt64(sum(failed)) AS failed, toUInt64(sum(contracts)) AS contracts,
    toUInt64(sum(logs)) AS logs, toUInt64(sum(native_transfers)) AS native_transfers, toUInt64(sum(token_transfers)) AS token_transfers,
    toUInt64(sum(gas_used)) AS gas_used, toString(sum(fees)) AS fees,
    (SELECT count() FROM ({{new_actors(block_number >= {from_block:UInt64} AND {{visible}})}}) WHERE kind = 'address') AS addresses
FROM
(
    SELECT 1 AS blocks, transaction_count AS transactions, 0 AS failed, 0 AS contracts, log_count AS logs, 0 AS native_transfers, 0 AS token_transfers, gas_used, fees
    FROM blocks WHERE block_number >= {from_block:UInt64} AND {{visible}} LIMIT 1 BY block_number
    UNION ALL
    SELECT 0, 0, status = 0, contract_address IS NOT NULL AND ifNull(status, 1) = 1, 0, value > 0 AND ifNull(status, 1) = 1, 0, 0, 0
    FROM transactions WHERE block_number >= {from_block:UInt64} AND {{visible}} LIMIT 1 BY block_number, tx_index
    UNION ALL
    SELECT 0, 0, 0, 0, 0, 0, 1, 0, 0
    FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE block_number >= {from_block:UInt64} AND {{visible}} LIMIT 1 BY block_number, log_index))}})
)
