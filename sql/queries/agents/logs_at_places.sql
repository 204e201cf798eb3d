-- name:    logs_at_places
-- serves:  listAiAgents, listTestimonies
-- params:  indexes: positions of logs in these blocks
-- returns: logs at the given positions, columns as stored; may repeat rows
-- reads:   logs by primary key
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND (block_number, log_index) IN (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})))
