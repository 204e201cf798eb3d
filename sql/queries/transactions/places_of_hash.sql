-- name:    places_of_hash
-- serves:  getTransaction, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  snapshot | hash String 64 hex digits
-- returns: where the transaction may be: one place but for a collision of 8 bytes, or no row; a place may come twice
-- reads:   transaction_hashes by key
-- budget:  5 s, 256 MiB, 1_000 rows
SELECT block_number, tx_index
FROM transaction_hashes
WHERE hash_prefix = toFixedString(substring(unhex({hash:String}), 1, 8), 8) AND {{visible}}
