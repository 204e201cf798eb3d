-- Transfers of a window behind a place, newest first. grain: a condition on block_number, log_index and batch_index.
block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
    AND (block_number, log_index, batch_index) < ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
