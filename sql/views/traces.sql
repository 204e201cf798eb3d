-- view:   traces
-- what:   internal calls that transfer value, create a contract or destroy one that the transaction created, one row each
-- fast:   filters on block_number
-- base:   internal_calls
-- needs:  traces
SELECT block_number, tx_index, call_index, tx_hash, block_hash, timestamp, type, from, to, value, gas, gas_used, trace_id, error
FROM internal_calls FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
