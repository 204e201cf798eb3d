-- name:    roles_missing
-- serves:  verify
-- returns: blocks with different numbers of transactions and of senders in address_roles
-- reads:   transactions, address_roles: key columns
-- budget:  300 s, 4096 MiB, 100 rows
SELECT concat('block ', toString(block_number), ': its transactions and their senders differ') AS detail
FROM (SELECT block_number, uniqExact(tx_index) AS transactions FROM transactions WHERE {{visible}} GROUP BY block_number) AS t
FULL JOIN
(
    SELECT block_number, uniqExact(tx_index) AS senders FROM address_roles WHERE {{visible}} AND bitAnd(roles, 1) = 1 GROUP BY block_number
) AS r USING (block_number)
WHERE t.transactions != r.senders
LIMIT 100
