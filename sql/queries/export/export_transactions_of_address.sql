-- name:    export_transactions_of_address
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized | at_index: index, within its block, of the last row in the previous export
-- returns: transactions of the address in the block range, oldest first, with the sum of its roles (1 from, 2 to, 4 log);
--          streamed
-- reads:   address_roles by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_transaction_columns(tx_hash)}},
    concat('0x', lower(hex(method_id))) AS methodId, roles
FROM (SELECT * FROM address_roles FINAL WHERE address = unhex({address:String}) AND {{export_window(tx_index)}} ORDER BY address, block_number, tx_index)
ORDER BY block_number, tx_index
