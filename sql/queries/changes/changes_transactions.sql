-- name:    changes_transactions
-- serves:  listChanges
-- returns: the transactions of the range, oldest first, with the columns of export_transactions
-- reads:   transactions by primary key
-- budget:  60 s, 2048 MiB, 10_000_000 rows
SELECT {{export_transaction_columns(hash)}},
    concat('0x', lower(hex(if(length(input) < 4, '', substring(input, 1, 4))))) AS methodId
FROM transactions FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, tx_index
SETTINGS do_not_merge_across_partitions_select_final = 1
