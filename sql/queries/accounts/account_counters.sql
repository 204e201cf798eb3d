-- name:    account_counters
-- serves:  getAccount, getBalanceHistory
-- params:  to_block: last block that counts
-- returns: counters of the account per era_blocks blocks after the rollup windows; columns as in closed_account
-- reads:   address_roles by primary key
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT era, transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time
FROM ({{account_counters(address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}})}})
