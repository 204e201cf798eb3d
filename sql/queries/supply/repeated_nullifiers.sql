-- name:    repeated_nullifiers
-- serves:  getSupplyReconciliation
-- returns: nullifiers with more than one mint, although each permits one: number of mints, and amount beyond the first mint
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 1_000 rows
SELECT concat('0x', lower(hex(nullifier))) AS nullifier_hex, count() AS mint_count,
    toString(sum(amount) - argMin(amount, (block_number, log_index))) AS excess, max(block_number) AS last_block
FROM ({{mints_of_bridge}})
GROUP BY nullifier
HAVING mint_count > 1
ORDER BY last_block DESC, nullifier
LIMIT {limit:UInt32}
