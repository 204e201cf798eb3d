-- name:    unfinalized_transactions
-- serves:  listTransactions, listLatestTransactions
-- params:  after: first block is the next one, unfinalized | through: last block
-- returns: transactions; unordered; may repeat rows
-- reads:   transactions of these blocks: one partition per block
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE final = 0 AND block_number > {after:UInt64} AND block_number <= {through:UInt64}
LIMIT {limit:UInt32}
