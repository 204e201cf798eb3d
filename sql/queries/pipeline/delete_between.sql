-- name:    delete_between
-- serves:  repair
-- params:  partition_id: partition that contains the blocks
-- returns: nothing; deletes the rows of these blocks, and waits
-- reads:   the partition
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE IN PARTITION ID {partition_id:String}
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} SETTINGS mutations_sync = 2
