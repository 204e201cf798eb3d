-- name:    drop_partition
-- serves:  pipeline
-- params:  table Identifier | partition_id String as system.parts has it
-- returns: nothing; all rows of the partition are gone at once
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DROP PARTITION ID {partition_id:String}
