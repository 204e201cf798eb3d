-- name:    closed_account
-- serves:  getAccount, getBalanceHistory
-- returns: counters of the account, one row per rollup window, columns as stored; unordered; may repeat rows
-- reads:   account_counter_eras by primary key
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT era, transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time
FROM account_counter_eras
WHERE address = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
