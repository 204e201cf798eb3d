-- name:    internal_calls
-- orders:  asc, desc
-- serves:  compatible account.txlistinternal
-- returns: internal calls of the blocks; may repeat rows
-- reads:   internal_calls by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{internal_columns}}
FROM internal_calls
WHERE {{visible}} AND {{behind(block_number, tx_index, call_index)}}
ORDER BY {{in_order(block_number, tx_index, call_index)}}
LIMIT {limit:UInt32}
