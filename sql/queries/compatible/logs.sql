-- name:    logs
-- orders:  asc, desc
-- serves:  compatible logs.getlogs
-- returns: logs of any emitter, columns as stored; may repeat rows
-- reads:   logs by primary key
-- budget:  30 s, 2048 MiB, 20_002 rows of 32 MiB
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND {{behind(block_number, log_index)}} AND {{topic_filter(topic_count)}}
ORDER BY {{in_order(block_number, log_index)}}
LIMIT {limit:UInt32}
