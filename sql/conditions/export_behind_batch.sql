-- Excludes transfers that the previous export returned from its last log. A log can contain several transfers (a batch), and an
-- export may end between two of them.
NOT (block_number = {at_block:UInt64} AND log_index = {at_index:Int64} + 1 AND batch_index <= {at_batch:Int64})
