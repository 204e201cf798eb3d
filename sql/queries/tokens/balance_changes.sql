-- name:    balance_changes
-- serves:  listBalanceChanges
-- params:  from_block: first compared block | to_block: second one | limit: maximum number of holders that gained, and of those that lost
-- returns: holders whose balance changed, largest change first. Every row repeats the number of holders that gained, that lost,
--          that are new, and that left
-- reads:   token_balance_eras and token_transfers by primary key
-- budget:  20 s, 3072 MiB, 200_000 rows
SELECT concat('0x', lower(hex(holder))) AS address, toString(before) AS amount_before, toString(after) AS amount_after,
    gained,
    gained_count, lost_count, joined_count, left_count
FROM
(
    SELECT holder, {{amount_of_parts(parts_before)}} AS before, {{amount_of_parts(parts_after)}} AS after, after > before AS gained,
        countIf(gained) OVER () AS gained_count, countIf(after < before) OVER () AS lost_count,
        countIf(before = 0) OVER () AS joined_count, countIf(after = 0) OVER () AS left_count
    FROM ({{token_balances_at}})
    WHERE before != after
)
ORDER BY reinterpretAsUInt256(if(gained, after - before, before - after)) DESC, holder
LIMIT {limit:UInt32} BY gained
