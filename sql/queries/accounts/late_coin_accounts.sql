-- name:    late_coin_accounts
-- serves:  getCoinSnapshot
-- params:  block: newest checkpoint | known: account_balances | known_from: 0 | through: the highest possible block
--          | internal_after: the checkpoint
-- returns: one row: number of rows of all checkpoints, and of accounts that had a balance at the checkpoint but are not in it.
--          An account that the genesis block funded is missing if its first transaction came later
-- reads:   account_balances, full scan; transactions, internal_calls and blocks after {block} by primary key
-- budget:  30 s, 4096 MiB, 1 row
SELECT count() AS accounts, (SELECT count() FROM coin_checkpoints) AS stored_rows
FROM ({{coin_balances(address NOT IN (SELECT address FROM coin_checkpoints WHERE block_number = {block:UInt64}))}})
WHERE signed > 0
