-- name:    transfers_between_desc
-- serves:  listTransfers
-- params:  snapshot | low_block UInt64 | low_index UInt32 | high_block UInt64 | high_index UInt32 places of logs, both inclusive
--          | at_block UInt64 | at_index Int64 | at_part Int64 place of the last row sent, exclusive | limit UInt32
-- returns: one row per moved token in the logs between two places, newest first
-- reads:   logs by key
-- budget:  10 s, 1024 MiB, 402 rows
SELECT
{{transfer_columns}}
FROM
({{token_transfers_of_logs((SELECT * FROM logs WHERE {{visible}} AND block_number BETWEEN {low_block:UInt64} AND {high_block:UInt64} AND (block_number, log_index) >= ({low_block:UInt64}, {low_index:UInt32}) AND (block_number, log_index) <= ({high_block:UInt64}, {high_index:UInt32}) LIMIT 1 BY block_number, log_index))}})
WHERE (block_number, log_index, batch_index) < ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
ORDER BY block_number DESC, log_index DESC, batch_index DESC
LIMIT {limit:UInt32}
