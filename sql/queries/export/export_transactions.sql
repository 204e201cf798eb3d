-- name:    export_transactions
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized | at_index: index, within its block, of the last row in the previous export
-- returns: transactions of the block range, oldest first; streamed
-- reads:   transactions by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_transaction_columns(hash)}},
    concat('0x', lower(hex(if(length(input) < 4, '', substring(input, 1, 4))))) AS methodId
FROM (SELECT * FROM transactions FINAL WHERE {{export_window(tx_index)}} ORDER BY block_number, tx_index)
ORDER BY block_number, tx_index
