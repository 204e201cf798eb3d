-- Token transfers in finalized blocks from {from_block} to {to_block}, decoded from logs: one row per transfer, or per item of
-- an ERC-1155 batch.
{{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    LIMIT 1 BY block_number, log_index))}}
