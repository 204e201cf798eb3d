-- name:    top_accounts
-- serves:  listTopAccounts
-- returns: accounts by native balance, highest first: the balance and its block. Every row repeats number and sum of all
--          balances above 0
-- reads:   account_balances, full scan
-- budget:  20 s, 4096 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS account, toString(balance) AS wei, block_number, toString(sum(balance) OVER ()) AS total,
    count() OVER () AS accounts
FROM (SELECT address, balance, block_number FROM account_balances FINAL)
WHERE balance > 0
ORDER BY balance DESC, address
LIMIT {limit:UInt32}
