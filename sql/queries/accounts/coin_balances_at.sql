-- name:    coin_balances_at
-- serves:  getCoinSnapshot
-- params:  block: block after which balances are taken | known: table of known balances: account_balances (newest ones) or coin_checkpoints
--          | known_from: block of the checkpoint; 0 for account_balances | through: last block whose movements are subtracted:
--            block of the checkpoint; for account_balances the highest possible number
--          | internal_after: block before the first internal transfer to count | at_account: 40 hex digits: last row of the
--            previous page
--          | producers: maximum number of block producers
-- returns: one row per account with a balance after the last row of the previous page (is_behind = 1), highest balance first.
--          Up to {producers} rows come before them: the accounts that produced the most blocks after {block}, on any page,
--          because a node can show whether they got rewards that are not stored as movements. Every row repeats six totals:
--          number of accounts, sum of balances, newest block of a known balance, accounts with a negative balance (native
--          currency moved in unknown ways), blocks with validator withdrawals after {block} up to {through}, and rows of all
--          checkpoints (shows whether some were added since)
-- reads:   coin_checkpoints, internal_calls, transactions and blocks by primary key; from account_balances: this table and
--          internal_calls, full scan
-- budget:  30 s, 4096 MiB, 100_201 rows
SELECT concat('0x', lower(hex(account))) AS address, toString(amount) AS wei, account_count, toString(total) AS total_wei, newest_known, below_zero,
    ({{withdrawal_blocks}}) AS withdrawal_blocks, (SELECT count() FROM coin_checkpoints) AS stored_rows, is_behind, is_producer
FROM
(
    SELECT account, signed, reinterpretAsUInt256(signed) AS amount,
        count() OVER () AS account_count, sum(amount) OVER () AS total, max(known_at) OVER () AS newest_known,
        countIf(signed < 0) OVER () AS below_zero,
        bitOr(amount < {at_balance:UInt256}, bitAnd(amount = {at_balance:UInt256}, account > toFixedString(unhex({at_account:String}), 20))) AS is_behind,
        account IN (SELECT miner FROM blocks WHERE {{visible}} AND block_number > {block:UInt64} GROUP BY miner ORDER BY count() DESC, miner
            LIMIT {producers:UInt32}) AS is_producer
    FROM ({{coin_balances(1)}})
    WHERE signed != 0
)
WHERE bitOr(is_behind, is_producer)
ORDER BY is_producer DESC, amount DESC, account
LIMIT {limit:UInt32} + {producers:UInt32}
