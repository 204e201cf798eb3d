-- name:    query_logs
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   logs by primary key; with contracts, at positions from logs_by_address
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, address AS contract, if(topic_count = 0, '', topic0) AS topic -- empty: no topics
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
