-- name:    places_of_hashes
-- serves:  getTransaction, getTransactionState, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  prefix: first 16 hex digits of one hash | prefixes: the first 16 hex digits of several hashes
-- returns: possible positions of the transactions. Only the first 8 bytes of hashes are compared, so two hashes that share them
--          give two positions; may repeat rows
-- reads:   transaction_hashes by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT hash_prefix, block_number, tx_index
FROM transaction_hashes
WHERE {{visible}}
  /*?one:*/AND hash_prefix = toFixedString(unhex({prefix:String}), 8)/*?;*/
  /*?many:*/AND hash_prefix IN (SELECT toFixedString(unhex(arrayJoin({prefixes:Array(String)})), 8))/*?;*/
