-- name:    internal_of_transaction
-- serves:  compatible account.txlistinternal
-- returns: internal calls of a transaction, in the order of execution
-- reads:   internal_calls by primary key
-- budget:  10 s, 1024 MiB, 1_000_000 rows
SELECT
{{internal_columns}}
FROM internal_calls
WHERE {{visible}} AND block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32}
ORDER BY call_index
LIMIT 1 BY call_index
