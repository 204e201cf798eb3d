-- Transfers of native currency: values of successful transactions (call_index -1) and of internal calls, without fees and block
-- rewards. @source stands for a condition on block_number.
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
