-- name:    stale_balances
-- serves:  pipeline
-- params:  rich: number of richest addresses | old: number of addresses read longest ago
-- returns: addresses whose balance to read again without a transaction: the richest ones, and those read longest ago
-- reads:   account_balances, full scan
-- budget:  60 s, 4096 MiB, 100_000 rows
SELECT DISTINCT concat('0x', lower(hex(address))) AS address
FROM
(
    SELECT address FROM (SELECT address, balance, block_number FROM account_balances FINAL) ORDER BY balance DESC LIMIT {rich:UInt32}
    UNION ALL
    SELECT address FROM (SELECT address, balance, block_number FROM account_balances FINAL) ORDER BY block_number LIMIT {old:UInt32}
)
