-- name:    live_logs
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible log, bare columns, two while a repeated insert is not merged yet
-- reads:   logs by key; asked of few logs alone
-- budget:  5 s, 512 MiB, 10_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
