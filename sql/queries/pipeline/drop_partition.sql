-- name:    drop_partition
-- serves:  pipeline
-- params:  block_number: of an unfinalized block
--          | claim_marker: table that exists as long as this process may write new blocks; without it, the statement fails
-- returns: nothing; deletes all rows of the block at once
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DROP PARTITION (0, intDiv({block_number:UInt64}, hasColumnInTable(currentDatabase(), {claim_marker:String}, 'held')))
