-- name:    query_logs
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | contracts Array(String) 40 hex digits each | topics0 Array(String) | topics1 Array(String) | topics2 Array(String)
--          | topics3 Array(String) 64 hex digits each
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   logs by primary key; with contracts, the places in logs_by_address first
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, address AS contract, topic0 AS topic
    FROM logs FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?contracts:*/ AND (block_number, log_index) IN (SELECT block_number, log_index FROM logs_by_address
            WHERE address IN {{asked_addresses(contracts)}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
            /*?topics0:*/ AND topic0 IN {{asked_topics(topics0)}} /*?;*/) /*?;*/
        /*?topics0:*/ AND topic_count > 0 AND topic0 IN {{asked_topics(topics0)}} /*?;*/
        /*?topics1:*/ AND topic_count > 1 AND topic1 IN {{asked_topics(topics1)}} /*?;*/
        /*?topics2:*/ AND topic_count > 2 AND topic2 IN {{asked_topics(topics2)}} /*?;*/
        /*?topics3:*/ AND topic_count > 3 AND topic3 IN {{asked_topics(topics3)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
