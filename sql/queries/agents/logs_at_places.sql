-- name:    logs_at_places
-- serves:  listAiAgents, listTestimonies
-- params:  snapshot (the blocks that readers may see) | blocks Array(UInt64) block numbers of logs
--          | indexes Array(UInt32) positions of these logs in their blocks
-- returns: the logs at those positions, columns as stored; may repeat rows that ClickHouse has not merged yet
-- reads:   logs by primary key
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND (block_number, log_index) IN (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})))
