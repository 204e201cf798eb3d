-- name:    coin_balances_at
-- serves:  getCoinSnapshot
-- params:  block: block after which balances are taken | known: table of known balances: account_balances (newest ones) or coin_checkpoints
--          | known_from: block of the checkpoint; 0 for account_balances | through: last block whose movements are subtracted:
--          block of the checkpoint; for account_balances the highest possible number
--          | internal_after: block before the first internal transfer to count | at_account: 40 hex digits: last row of the previous page
-- returns: one row per account with a balance, highest balance first. Every row repeats six totals: number of accounts, sum of
--          balances, newest block of a known balance, accounts with a negative balance, blocks with validator withdrawals after
--          {block} up to {through}, and rows of all checkpoints, which shows whether some were added meanwhile. A negative balance shows
--          that native currency moved in unknown ways
-- reads:   coin_checkpoints, internal_calls, transactions and blocks by primary key; from account_balances: this table and
--          internal_calls, full scan
-- budget:  30 s, 4096 MiB, 100_001 rows
SELECT concat('0x', lower(hex(account))) AS address, toString(amount) AS wei, account_count, toString(total) AS total_wei, newest_known, below_zero,
    ({{withdrawal_blocks}}) AS withdrawal_blocks, (SELECT count() FROM coin_checkpoints) AS stored_rows
FROM
(
    SELECT account, signed, reinterpretAsUInt256(signed) AS amount,
        count() OVER () AS account_count, sum(amount) OVER () AS total, max(known_at) OVER () AS newest_known,
        countIf(signed < 0) OVER () AS below_zero
    FROM ({{coin_balances(1)}})
    WHERE signed != 0
)
WHERE bitOr(amount < {at_balance:UInt256}, bitAnd(amount = {at_balance:UInt256}, account > toFixedString(unhex({at_account:String}), 20)))
ORDER BY amount DESC, account
LIMIT {limit:UInt32}
