-- name:    changes_transfers
-- serves:  listChanges
-- returns: the token transfers of the range, oldest first, with the columns of export_transfers
-- reads:   logs by primary key
-- budget:  60 s, 2048 MiB, 10_000_000 rows
SELECT {{export_transfer_columns}}
FROM ({{token_transfers_of_logs((SELECT * FROM logs FINAL
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    SETTINGS do_not_merge_across_partitions_select_final = 1))}})
ORDER BY block_number, log_index, batch_index
