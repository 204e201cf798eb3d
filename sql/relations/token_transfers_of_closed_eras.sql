-- Token transfers in finalized blocks below {era_through}, decoded from logs: one row per transfer; an ERC-1155 batch has one row
-- per item.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number < {era_through:UInt64} LIMIT 1 BY block_number, log_index))}}
