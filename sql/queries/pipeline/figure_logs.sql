-- name:    figure_logs
-- serves:  pipeline
-- returns: fields of stored logs, in chain order, from which block_figures (statistics for charts) is computed
-- reads:   logs by primary key
-- budget:  60 s, 2048 MiB, 20_000_000 rows
SELECT block_number, tx_index, address, topic_count, topic0, topic1, topic2, topic3, data
FROM logs
WHERE final = {final:UInt8} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, log_index
LIMIT 1 BY block_number, log_index
