-- Transfers of a window behind a place, oldest first. grain: a condition on block_number, log_index and batch_index.
block_number BETWEEN greatest({from_block:UInt64}, {at_block:UInt64}) AND {to_block:UInt64}
    AND (block_number, log_index, batch_index) > ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
