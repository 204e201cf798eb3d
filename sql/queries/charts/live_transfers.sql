-- name:    live_transfers
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block, standard and sender of tokens, with the number of moved tokens
-- reads:   logs by key
-- budget:  20 s, 1024 MiB, 750_000 rows
SELECT block_number, standard, from, count() AS moved
FROM ({{token_transfers_of_logs((SELECT * FROM logs
    WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}} LIMIT 1 BY block_number, log_index))}})
GROUP BY block_number, standard, from
