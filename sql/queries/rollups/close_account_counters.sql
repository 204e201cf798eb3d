-- name:    close_account_counters
-- serves:  rollups
-- params:  to_block: last block of the complete rollup windows that start at from_block
-- returns: nothing; writes account_counter_eras: counters of accounts by rollup window
-- reads:   address_roles: column block_number of all final rows, other columns of these blocks
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO account_counter_eras
(era, address, transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time)
{{account_counters(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}}
