-- Rows of a window behind a place, oldest first. grain: a condition on block_number and tx_index; read by paged lists.
block_number BETWEEN greatest({from_block:UInt64}, {at_block:UInt64}) AND {to_block:UInt64} AND (block_number, tx_index) > ({at_block:UInt64}, {at_index:Int64})
