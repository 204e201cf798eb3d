-- name:    logs
-- orders:  asc, desc
-- serves:  compatible logs.getlogs
-- params:  snapshot (blocks visible to readers) | topics0 String | topics1 String | topics2 String
--          | topics3 String 64 hex digits or empty | any1 UInt8 | any2 UInt8
--          | any3 UInt8 1: the topic with the same number is joined to the topics before it by OR, 0: by AND | from_block UInt64
--          | to_block UInt64 both inclusive | at_block UInt64 | at_index Int64 position of the last row of the previous page
--          | limit UInt32 1..10_001
-- returns: logs of any emitter, columns as stored, in the requested order; may contain duplicate rows
-- reads:   logs by primary key
-- budget:  30 s, 2048 MiB, 20_002 rows
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND {{behind(block_number, log_index)}} AND {{topic_filter(topic_count)}}
ORDER BY {{in_order(block_number, log_index)}}
LIMIT {limit:UInt32}
