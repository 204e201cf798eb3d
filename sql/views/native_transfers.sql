-- view:   native_transfers
-- what:   transfers of the native coin: values of successful transactions and of internal calls, without fees and block rewards
-- fast:   filters on block_number
-- base:   transactions, internal_calls
-- needs:  traces
-- column: kind transaction, or the type of the internal call
-- column: call_index Position among the stored internal calls of the transaction; -1 for the value of the transaction itself
-- column: to Recipient, created contract, or beneficiary of a selfdestruct
SELECT block_number, tx_index, toInt64(-1) AS call_index, hash AS tx_hash, timestamp, from, ifNull({{recipient}}, toFixedString('', 20)) AS to, value,
    'transaction' AS kind
FROM transactions FINAL
WHERE {{visible}} AND value > 0 AND ifNull(status, 1) = 1
SETTINGS do_not_merge_across_partitions_select_final = 1
UNION ALL
SELECT block_number, tx_index, toInt64(call_index), tx_hash, timestamp, from, ifNull(to, toFixedString('', 20)) AS to, value, toString(type) AS kind
FROM internal_calls FINAL
WHERE {{visible}} AND value > 0 AND error = ''
SETTINGS do_not_merge_across_partitions_select_final = 1
