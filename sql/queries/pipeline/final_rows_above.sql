-- name:    final_rows_above
-- serves:  rewind
-- params:  above: last block to keep
-- returns: one row if the table has rows of later finalized blocks
-- reads:   partitions of finalized blocks with later blocks
-- budget:  900 s, 1024 MiB, 1 row
SELECT 1 AS found FROM {table:Identifier} WHERE final = 1 AND block_number > {above:UInt64} LIMIT 1
