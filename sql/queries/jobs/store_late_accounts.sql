-- name:    store_late_accounts
-- serves:  pipeline
-- params:  block: newest checkpoint | blocks: all checkpoints | known: account_balances, or coin_checkpoints for a newer one
--          | known_from: block of the newer checkpoint, or 0
--          | through: block of the newer checkpoint, or the highest possible block
--          | internal_after: the newest checkpoint
-- returns: nothing; adds the accounts of late_coin_accounts to all checkpoints, with the same balance, because they took part
--          in no transaction. Adds none if validator withdrawals can explain their balances
-- reads:   as late_coin_accounts
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO coin_checkpoints (block_number, address, balance)
SELECT arrayJoin({blocks:Array(UInt64)}) AS block_number, account AS address, reinterpretAsUInt256(signed) AS balance
FROM ({{coin_balances(address NOT IN (SELECT address FROM coin_checkpoints WHERE block_number = {block:UInt64}))}})
WHERE signed > 0 AND known_at <= {finalized:UInt64}
    AND ({{withdrawal_blocks}}) = 0
-- a hash join needs 1.5 GiB for 4 million accounts; this join takes as long, and needs 1 GiB for 20 million
SETTINGS join_algorithm = 'full_sorting_merge', max_bytes_before_external_group_by = 1000000000, max_bytes_before_external_sort = 1000000000
