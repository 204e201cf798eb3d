-- name:    close_token_counters
-- serves:  rollups
-- params:  era_blocks UInt64 blocks per rollup window | from_block UInt64 | to_block UInt64 both inclusive, complete rollup windows
-- returns: nothing; writes token_counter_eras
-- reads:   logs by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_counter_eras (era, token, standard, transfer_count, mint_count, burn_count, first_block, last_block, first_time)
{{token_counters({{token_transfers_of_finalized_logs}})}}
