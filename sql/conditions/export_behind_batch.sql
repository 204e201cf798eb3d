-- Transfers after the last row of the previous export: if the window starts with that row's log, only greater batch indexes.
NOT (block_number = {at_block:UInt64} AND log_index = {at_index:Int64} + 1 AND batch_index <= {at_batch:Int64})
