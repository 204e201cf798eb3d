-- name:    movement_totals
-- serves:  getStatement
-- params:  snapshot (blocks visible to readers) | accounts Array(String) 40 hex digits each
--          | from_block UInt64 | to_block UInt64 both inclusive and finalized
-- returns: one row per account, kind of movement and direction, of the coin alone
-- reads:   as movements
-- budget:  600 s, 4096 MiB, 10_000 rows
SELECT lower(hex(address)) AS account_hex, kind, is_in, count() AS movement_count, sum(amount) AS total
FROM ({{account_movements}})
WHERE token = ''
GROUP BY address, kind, is_in
