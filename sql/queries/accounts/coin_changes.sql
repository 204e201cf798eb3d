-- name:    coin_changes
-- serves:  listCoinChanges
-- params:  block: changes after this block | through: last block; it is finalized | internal_after: as block
--          | limit: maximum number of accounts that gained, and of those that lost
-- returns: one row per account whose balance of native currency changed, largest change first: the change in wei (negative: a
--          loss). Every row repeats the number of accounts that gained and that lost
-- reads:   transactions, internal_calls and blocks of the range by primary key
-- budget:  30 s, 4096 MiB, 200_000 rows
SELECT concat('0x', lower(hex(address))) AS account, toString(change) AS wei, toUInt8(change > 0) AS gained,
    countIf(change > 0) OVER () AS gained_count, countIf(change < 0) OVER () AS lost_count
FROM (SELECT address, sum(delta) AS change FROM ({{coin_movements}}) GROUP BY address HAVING change != 0)
ORDER BY abs(change) DESC, address
LIMIT {limit:UInt32} BY gained
