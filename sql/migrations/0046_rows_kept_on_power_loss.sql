-- 0046_rows_kept_on_power_loss
-- why:     a power failure could lose the last rows of marks and sums while what depends on them survived: a job then skipped blocks,
--          sums stayed wrong, and two events could have one number. Rows could be lost after a client had got the confirmation.
--          Other rows of blocks are not written at once, because that costs each block 12 writes: after a start of the database, the
--          pipeline compares the newest ones (pipeline/store/lost-rows.ts)
-- replay:  safe; settings of tables, for parts that are written from now on
-- readers: unaffected

-- Progress of the pipeline, events of its stream, and internal calls, which blocks can get late
ALTER TABLE anchor_events MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE job_marks MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE parked_blocks MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE range_journal MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE reorgs MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE block_traces MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE internal_calls MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE internal_calls_by_address MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE traced_ranges MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;

-- Sums and results of jobs, whose marks are stored after them
ALTER TABLE account_balances MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE account_counter_eras MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE actor_buckets MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE actor_days MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE actor_firsts MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE chart_buckets MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE coin_checkpoints MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE contract_codes MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE knots MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE sender_last_days MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE sender_returns MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE shape_knots MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE shapes MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE subject_buckets MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE token_balance_eras MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE token_balance_eras_by_holder MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE token_counter_eras MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE token_holder_count_eras MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE token_holder_ranks MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE tokens MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;

-- Data of clients and operators
ALTER TABLE address_set_members MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE address_sets MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE api_keys MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE integration_request_senders MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE integration_requests MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE linked_wallets MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE private_tags MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE saved_queries MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE sign_in_uses MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE sql_schedules MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE verified_contracts MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE watches MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE withdrawal_claims MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
ALTER TABLE withdrawals MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
