-- name:    live_senders
-- serves:  getChart, getLine
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive | limit UInt32
-- returns: who sent on which day in these blocks, each pair once, in no order
-- reads:   transactions by key
-- budget:  20 s, 1024 MiB, 100_001 rows
SELECT DISTINCT from AS address, toStartOfDay(timestamp) AS day
FROM transactions
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
LIMIT {limit:UInt32}
