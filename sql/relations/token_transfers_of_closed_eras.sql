-- Token transfers in finalized blocks below {era_through}, decoded from logs: one row per transfer, or per item of an ERC-1155
-- batch.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number < {era_through:UInt64} LIMIT 1 BY block_number, log_index))}}
