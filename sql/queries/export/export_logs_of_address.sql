-- name:    export_logs_of_address
-- serves:  exportRows
-- params:  address: 40 hex digits of the emitter | to_block: last block, inclusive; it is finalized
--          | at_index: index, within its block, of the last row in the previous export
-- returns: logs of the emitter in the block range, oldest first; streamed
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_log_columns}}
FROM
(
    SELECT * FROM logs FINAL
    WHERE {{export_window(log_index)}} AND (block_number, log_index) IN
        (SELECT block_number, log_index FROM logs_by_address WHERE address = unhex({address:String}) AND {{export_window(log_index)}})
    ORDER BY block_number, log_index
)
ORDER BY block_number, log_index
