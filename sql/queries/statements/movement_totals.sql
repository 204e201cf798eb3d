-- name:    movement_totals
-- serves:  getStatement
-- params:  to_block: last block, inclusive; it is finalized
-- returns: number and sum of movements of native currency, per account, kind and direction; and the part of the sum whose other
--          side is one of the accounts
-- reads:   as movements
-- budget:  600 s, 4096 MiB, 20_000 rows
SELECT lower(hex(address)) AS account_hex, kind, is_in, count() AS movement_count, sum(amount) AS total,
    sumIf(amount, counterparty != '' AND toFixedString(counterparty, 20) IN {{asked_addresses(accounts)}}) AS within_total
FROM ({{account_movements}})
WHERE token = ''
GROUP BY address, kind, is_in
