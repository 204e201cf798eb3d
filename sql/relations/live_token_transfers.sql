-- Token transfers after the rollup windows, to add to the stored totals: one row per transfer, or per item of an ERC-1155
-- batch. @source stands for a condition on token_transfers.
(SELECT * FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source LIMIT 1 BY token, block_number, log_index, batch_index)
