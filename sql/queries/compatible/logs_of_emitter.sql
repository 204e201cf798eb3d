-- name:    logs_of_emitter
-- orders:  asc, desc
-- serves:  listContractLogs, compatible logs.getlogs, listTestimonies, listProxyUpgrades
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits of the emitter | topics0 String | topics1 String
--          | topics2 String | topics3 String 64 hex digits or empty | any1 UInt8 | any2 UInt8
--          | any3 UInt8 1: the topic with the same number is joined to the topics before it by OR, 0: by AND | from_block UInt64
--          | to_block UInt64 both inclusive | at_block UInt64 | at_index Int64 position of the last row of the previous page
--          | limit UInt32 1..10_001 | place_limit UInt32 maximum positions to read, at least limit
-- returns: logs of one emitter, columns as stored, in the requested order; may contain duplicate rows
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  30 s, 2048 MiB, 20_002 rows
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND (block_number, log_index) IN
(
    SELECT block_number, log_index FROM logs_by_address
    WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, log_index)}} AND {{topic_filter(4)}}
    ORDER BY {{in_order(block_number, log_index)}}
    LIMIT 1 BY block_number, log_index
    LIMIT {place_limit:UInt32}
) AND {{topic_filter(topic_count)}}
ORDER BY {{in_order(block_number, log_index)}}
LIMIT {limit:UInt32}
