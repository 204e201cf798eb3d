-- Condition that selects the transfers after the last row of the previous export. If the export window starts with the log of that
-- row, only its greater batch indexes are selected.
NOT (block_number = {at_block:UInt64} AND log_index = {at_index:Int64} + 1 AND batch_index <= {at_batch:Int64})
