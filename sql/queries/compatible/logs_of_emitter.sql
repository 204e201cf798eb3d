-- name:    logs_of_emitter
-- orders:  asc, desc
-- serves:  listContractLogs, compatible logs.getlogs, listTestimonies, listProxyUpgrades
-- params:  address: 40 hex digits of the emitter | place_limit: maximum positions to read, at least limit
-- returns: logs of one emitter, columns as stored; may repeat rows
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  30 s, 2048 MiB, 20_002 rows of 32 MiB
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
