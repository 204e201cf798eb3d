-- name:    coin_balances_at
-- serves:  getCoinSnapshot
-- params:  block: block after which balances are taken | at_account: 40 hex digits: last row of the previous page
-- returns: one row per account with a balance, highest balance first. Every row repeats five totals: number of accounts, sum of
--          balances, newest block of a stored balance, accounts with a negative balance, and blocks after {block} with validator
--          withdrawals. A negative balance shows that native currency moved in unknown ways
-- reads:   account_balances and internal_calls, full scan; transactions and blocks after {block} by primary key
-- budget:  30 s, 4096 MiB, 100_001 rows
WITH
    -- newest balance of each account that a node returned, and the block after which the account had it
    known AS (SELECT address, balance, block_number AS known_at FROM account_balances FINAL),
    -- movements after {block} that this balance contains, minus movements up to {block} that it lacks
    moved AS
    (
        SELECT address, sumIf(delta, block_number > {block:UInt64}) - sumIf(delta, block_number <= {block:UInt64}) AS change
        FROM ({{coin_movements}}) AS movement
        INNER JOIN known ON known.address = movement.address
        WHERE (block_number <= known_at) = (block_number > {block:UInt64})
        GROUP BY address
    )
SELECT concat('0x', lower(hex(account))) AS address, toString(amount) AS wei, account_count, toString(total) AS total_wei, newest_known, below_zero,
    (
        SELECT count() FROM blocks WHERE {{visible}} AND block_number > {block:UInt64} AND withdrawal_count > 0
    ) AS withdrawal_blocks
FROM
(
    SELECT known.address AS account, toInt256(known.balance) - moved.change AS signed, reinterpretAsUInt256(signed) AS amount,
        count() OVER () AS account_count, sum(amount) OVER () AS total, max(known.known_at) OVER () AS newest_known,
        countIf(signed < 0) OVER () AS below_zero
    FROM known
    LEFT JOIN moved ON moved.address = known.address
    WHERE signed != 0
)
WHERE bitOr(amount < {at_balance:UInt256}, bitAnd(amount = {at_balance:UInt256}, account > toFixedString(unhex({at_account:String}), 20)))
ORDER BY amount DESC, account
LIMIT {limit:UInt32}
