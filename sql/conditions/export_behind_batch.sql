-- Selects the transfers that the previous export did not return. A log can contain several transfers (a batch), and the previous
-- export may have ended between two of them. Of that log, only transfers with a greater batch index are selected.
NOT (block_number = {at_block:UInt64} AND log_index = {at_index:Int64} + 1 AND batch_index <= {at_batch:Int64})
