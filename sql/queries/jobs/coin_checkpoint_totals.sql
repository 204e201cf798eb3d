-- name:    coin_checkpoint_totals
-- serves:  pipeline
-- params:  block: finalized block after which balances are taken | known: account_balances or coin_checkpoints
--          | known_from: block of the checkpoint, or 0 | through: block of the checkpoint, or the highest possible block
--          | internal_after: block before the first internal transfer to count
-- returns: one row: number of accounts with a negative balance, and of blocks with validator withdrawals after {block} up to
--          {through}
-- reads:   as coin_balances_at
-- budget:  900 s, 4096 MiB, 1 row
SELECT countIf(signed < 0) AS below_zero, ({{withdrawal_blocks}}) AS withdrawal_blocks
FROM ({{coin_balances(1)}})
-- a hash join needs 1.5 GiB for 4 million accounts; this join takes as long, and needs 1 GiB for 20 million
SETTINGS join_algorithm = 'full_sorting_merge', max_bytes_before_external_group_by = 1000000000, max_bytes_before_external_sort = 1000000000
