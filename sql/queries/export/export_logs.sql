-- name:    export_logs
-- serves:  exportRows
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive, final | at_block UInt64 | at_index Int64 place of the last row of the export before
-- returns: one row per log of the window, oldest first; streamed
-- reads:   logs by key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT block_number AS blockNumber, log_index AS logIndex, tx_index AS txIndex, concat('0x', lower(hex(tx_hash))) AS txHash,
    toUInt32(timestamp) AS timestamp, concat('0x', lower(hex(address))) AS address,
    if(topic_count > 0, concat('0x', lower(hex(topic0))), NULL) AS topic0, if(topic_count > 1, concat('0x', lower(hex(topic1))), NULL) AS topic1,
    if(topic_count > 2, concat('0x', lower(hex(topic2))), NULL) AS topic2, if(topic_count > 3, concat('0x', lower(hex(topic3))), NULL) AS topic3,
    concat('0x', lower(hex(data))) AS data
FROM (SELECT * FROM logs FINAL WHERE {{export_window(log_index)}} ORDER BY block_number, log_index)
ORDER BY block_number, log_index
