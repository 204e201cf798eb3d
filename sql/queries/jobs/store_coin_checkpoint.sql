-- name:    store_coin_checkpoint
-- serves:  pipeline
-- params:  block: finalized block after which balances are taken | known: table of known balances: account_balances (newest ones) or coin_checkpoints
--          | known_from: block of the checkpoint; 0 for account_balances | through: last block whose movements are subtracted:
--          block of the checkpoint; for account_balances the highest possible number
--          | internal_after: block before the first internal transfer to count
-- returns: nothing; writes balances of native currency of all known accounts after the block to coin_checkpoints. Fails if a
--          balance is negative, or known only for a block above the last finalized one
-- reads:   as coin_balances_at
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO coin_checkpoints (block_number, address, balance)
SELECT {block:UInt64} AS block_number, account AS address,
    reinterpretAsUInt256(if(throwIf(signed < 0 OR known_at > {finalized:UInt64}, 'a balance is negative, or too new') = 0, signed, toInt256(0))) AS balance
FROM ({{coin_balances(1)}})
-- a hash join needs 1.5 GiB for 4 million accounts; this join takes as long, and needs 1 GiB for 20 million
SETTINGS join_algorithm = 'full_sorting_merge', max_bytes_before_external_group_by = 1000000000, max_bytes_before_external_sort = 1000000000
