-- name:    transaction_by_hash
-- serves:  getTransaction
-- params:  snapshot | hash String 64 hex digits
-- returns: the transaction with its call data, or no row
-- reads:   transaction_hashes and transactions by key
-- budget:  5 s, 256 MiB, 1 row
SELECT
{{transaction_columns}},
    input, blob_count, authorization_count, blob_gas_used, blob_gas_price
FROM transactions
WHERE {{visible}}
  AND (block_number, tx_index) IN
  (
      SELECT block_number, tx_index FROM transaction_hashes
      WHERE hash_prefix = toFixedString(substring(unhex({hash:String}), 1, 8), 8) AND {{visible}}
  )
  AND hash = toFixedString(unhex({hash:String}), 32)
LIMIT 1
