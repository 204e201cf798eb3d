-- name:    holders_at
-- serves:  getTokenSnapshot
-- params:  from_block: any block | to_block: block after which balances are taken
--          | at_holder: 40 hex digits: last row of the previous page
-- returns: holders, highest balance first. Every row repeats the number of holders and the sum of their balances
-- reads:   token_balance_eras and token_transfers by primary key
-- budget:  20 s, 3072 MiB, 100_001 rows
SELECT concat('0x', lower(hex(holder))) AS address, toString(balance) AS amount, holder_count, toString(held) AS held_total
FROM
(
    SELECT holder, {{amount_of_parts(parts_after)}} AS balance, count() OVER () AS holder_count,
        (sum(tupleElement(parts_after, 1)) OVER (), sum(tupleElement(parts_after, 2)) OVER ()) AS held_parts, {{amount_of_parts(held_parts)}} AS held
    FROM ({{token_balances_at}})
    WHERE {{is_held_of_parts(parts_after)}}
)
WHERE bitOr(balance < {at_balance:UInt256}, bitAnd(balance = {at_balance:UInt256}, holder > toFixedString(unhex({at_holder:String}), 20)))
ORDER BY balance DESC, holder
LIMIT {limit:UInt32}
