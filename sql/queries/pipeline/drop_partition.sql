-- name:    drop_partition
-- serves:  pipeline
-- params:  table Identifier | block_number UInt64 of an unsettled block | claim_marker String of the claim to the head: without its table the statement is
--          refused
-- returns: nothing; all rows of the block are gone at once
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DROP PARTITION (0, intDiv({block_number:UInt64}, hasColumnInTable(currentDatabase(), {claim_marker:String}, 'held')))
