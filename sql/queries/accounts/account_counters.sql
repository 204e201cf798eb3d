-- name:    account_counters
-- serves:  getAccount
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits
--          | era_through UInt64 first block after the rollup windows (block ranges with stored totals)
--          | era_blocks UInt64 blocks per rollup window
-- returns: counters of an account in the blocks after the rollup windows, added up per era_blocks blocks; columns as in
--          closed_account
-- reads:   address_roles by primary key
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT era, transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time
FROM ({{account_counters(address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND {{visible}})}})
