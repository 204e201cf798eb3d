-- Distinct token transfers since the last closed rollup window; the argument is a condition on token_transfers.
-- grain: one row per moved token; used by everything that adds live rows to rollup windows.
(SELECT * FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source LIMIT 1 BY token, block_number, log_index, batch_index)
