-- Token transfers after the rollup windows (block ranges with stored totals), to add to these totals: one row per transfer; an
-- ERC-1155 batch has one row per item. Pass a condition on token_transfers as @source.
(SELECT * FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source LIMIT 1 BY token, block_number, log_index, batch_index)
