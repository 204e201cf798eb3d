-- view:   logs
-- what:   event logs, one row each
-- fast:   filters on block_number; use log_positions for one contract
-- base:   logs
-- column: data Data of the log, hex with 0x
SELECT block_number, log_index, tx_index, tx_hash, timestamp, address, topic_count, topic0, topic1, topic2, topic3,
    concat('0x', lower(hex(logs.data))) AS data
FROM logs FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
