-- Transfers of native currency: values of successful transactions and of internal calls, without fees and block rewards. Pass a
-- condition on the block number as @source. `call_index` is -1 for the value of the transaction itself.
SELECT block_number, tx_index, toInt64(-1) AS call_index, hash AS tx_hash, timestamp, from, ifNull({{recipient}}, toFixedString('', 20)) AS to, value,
    'transaction' AS kind
FROM transactions FINAL
WHERE {{visible}} AND @source AND {{moved_coin}} > 0
SETTINGS do_not_merge_across_partitions_select_final = 1
UNION ALL
SELECT block_number, tx_index, toInt64(call_index), tx_hash, timestamp, from, ifNull(to, toFixedString('', 20)) AS to, value, toString(type) AS kind
FROM internal_calls FINAL
WHERE {{visible}} AND @source AND value > 0 AND error = ''
SETTINGS do_not_merge_across_partitions_select_final = 1
