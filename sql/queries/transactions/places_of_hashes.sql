-- name:    places_of_hashes
-- serves:  getTransaction, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  snapshot | prefix String first 16 hex digits of one hash | prefixes Array(String) the same of several hashes
-- returns: possible positions of the transactions, found by the first 8 bytes of their hashes: several if two hashes share these; may contain duplicates
-- reads:   transaction_hashes by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT hash_prefix, block_number, tx_index
FROM transaction_hashes
WHERE {{visible}}
  /*?one:*/AND hash_prefix = toFixedString(unhex({prefix:String}), 8)/*?;*/
  /*?many:*/AND hash_prefix IN (SELECT toFixedString(unhex(arrayJoin({prefixes:Array(String)})), 8))/*?;*/
