-- name:    payments_without_transaction
-- serves:  getAccountSnapshot, listCoinChanges, compatible account.balance,
--          compatible account.balancehistory, compatible account.eth_get_balance
-- params:  block: the block before the range | through: last block of the range | accounts: addresses that may have produced blocks
-- returns: one row: number of blocks with validator withdrawals (recipients are not stored), and of blocks that the accounts
--          produced (the chain may pay rewards without a transaction)
-- reads:   blocks of the range
-- budget:  30 s, 1024 MiB, 1 row
SELECT ({{withdrawal_blocks}}) AS withdrawal_blocks,
    (SELECT count() FROM blocks WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64}
        AND miner IN {{asked_addresses(accounts)}}) AS produced_blocks
