-- Token transfers of finalized blocks below {era_through}, decoded from logs. Returns one row per moved token id.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number < {era_through:UInt64} LIMIT 1 BY block_number, log_index))}}
