-- Token transfers of final blocks below {era_through}. grain: one row per moved token; used by the recount of rollup windows.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number < {era_through:UInt64} LIMIT 1 BY block_number, log_index))}}
