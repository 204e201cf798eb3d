-- name:    token_count
-- serves:  listCounters
-- returns: one row: number of contracts that ever transferred a token
-- reads:   column token of token_counter_eras, token_transfers after the rollup windows
-- budget:  10 s, 1024 MiB, 1 row
SELECT uniqExact(token) AS tokens
FROM
(
    SELECT token FROM token_counter_eras WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    UNION ALL
    SELECT token FROM token_transfers WHERE block_number >= {era_through:UInt64} AND {{visible}}
)
