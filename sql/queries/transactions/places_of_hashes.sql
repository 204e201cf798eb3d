-- name:    places_of_hashes
-- serves:  getTransaction, getTransactionState, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  prefix: first 16 hex digits of one hash | prefixes: the first 16 hex digits of several hashes
-- returns: positions of transactions with the same first 8 bytes of the hash: two for two such hashes; may repeat rows
-- reads:   transaction_hashes by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT hash_prefix, block_number, tx_index
FROM transaction_hashes
WHERE {{visible}}
  /*?one:*/AND hash_prefix = toFixedString(unhex({prefix:String}), 8)/*?;*/
  /*?many:*/AND hash_prefix IN (SELECT toFixedString(unhex(arrayJoin({prefixes:Array(String)})), 8))/*?;*/
