-- view:   log_positions
-- what:   positions and topics of logs by contract; only the view logs has their data
-- fast:   filters on address, then on topic0 and block_number
-- base:   logs_by_address
SELECT address, topic0, block_number, log_index, topic1, topic2, topic3
FROM logs_by_address FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
