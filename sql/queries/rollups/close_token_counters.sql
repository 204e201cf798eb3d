-- name:    close_token_counters
-- serves:  rollups
-- params:  to_block: last block of the complete rollup windows that start at from_block
-- returns: nothing; writes token_counter_eras: number of transfers by token and rollup window
-- reads:   logs by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_counter_eras (era, token, standard, transfer_count, mint_count, burn_count, first_block, last_block, first_time)
{{token_counters({{token_transfers_of_finalized_logs}})}}
