-- Token transfers since the last closed era that the argument selects, a condition on token_transfers; each once.
-- grain: one row a moved token; read by everything that adds to the rollups of eras.
(SELECT * FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source LIMIT 1 BY token, block_number, log_index, batch_index)
