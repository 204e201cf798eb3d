-- name:    logs_at_places
-- serves:  listAiAgents, listTestimonies
-- params:  snapshot (blocks visible to readers) | blocks Array(UInt64) block numbers
--          | indexes Array(UInt32) positions of logs in these blocks
-- returns: the logs at those positions, columns as stored; may contain duplicate rows
-- reads:   logs by primary key
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND (block_number, log_index) IN (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})))
