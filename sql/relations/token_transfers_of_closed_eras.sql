-- Token transfers of final blocks below {era_through}; grain: one row a moved token; read by the recount of eras.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number < {era_through:UInt64} LIMIT 1 BY block_number, log_index))}}
