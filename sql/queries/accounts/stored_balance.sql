-- name:    stored_balance
-- serves:  getAccount
-- returns: native balance of the account in wei and its block, as last read from a node; no row: never read
-- reads:   account_balances by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT toString(balance) AS wei, block_number
FROM account_balances
WHERE address = unhex({address:String})
ORDER BY block_number DESC
LIMIT 1
