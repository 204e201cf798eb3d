-- Token transfers of finalized blocks between {from_block} and {to_block}, decoded from logs. Returns one row per moved token id.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    LIMIT 1 BY block_number, log_index))}}
