-- name:    activity_until
-- serves:  getAccountSnapshot
-- params:  to_block: last block whose transactions count
-- returns: one row: number of transactions that the account sent, that it received, and that it sent or received; first and
--          last block of the latter (0: none)
-- reads:   address_roles by primary key
-- budget:  30 s, 1024 MiB, 1 row
SELECT countIf(bitAnd(roles, 1) = 1) AS sent, countIf(bitAnd(roles, 2) = 2) AS received, count() AS transactions,
    min(block_number) AS first_block, max(block_number) AS last_block
FROM address_roles FINAL
WHERE address = unhex({address:String}) AND block_number <= {to_block:UInt64} AND {{visible}} AND bitAnd(roles, 3) != 0
SETTINGS do_not_merge_across_partitions_select_final = 1
