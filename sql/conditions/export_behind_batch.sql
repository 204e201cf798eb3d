-- Transfers behind the last one of the export before: of its log those with a greater place in the batch, where the window begins with that log.
NOT (block_number = {at_block:UInt64} AND log_index = {at_index:Int64} + 1 AND batch_index <= {at_batch:Int64})
