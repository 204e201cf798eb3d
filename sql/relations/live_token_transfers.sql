-- Distinct token transfers after the rollup windows (block ranges with stored totals), to be added to these totals. @source, the
-- argument of this fragment, is a condition on token_transfers. Returns one row per moved token id.
(SELECT * FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source LIMIT 1 BY token, block_number, log_index, batch_index)
