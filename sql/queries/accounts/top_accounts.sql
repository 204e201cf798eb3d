-- name:    top_accounts
-- serves:  listTopAccounts
-- params:  limit UInt32
-- returns: accounts with the greatest balances in native currency, greatest first, each with the block of its balance; and the sum
--          of all known balances
-- reads:   account_balances, full scan
-- budget:  20 s, 4096 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS account, toString(balance) AS wei, block_number, toString(sum(balance) OVER ()) AS total,
    count() OVER () AS accounts
FROM (SELECT address, balance, block_number FROM account_balances FINAL)
WHERE balance > 0
ORDER BY balance DESC, address
LIMIT {limit:UInt32}
