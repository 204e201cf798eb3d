-- Rows of an export: finalized rows of its block range, after the last row of the previous export. @source stands for a column
-- with the position of the row in its block.
(final = 1 AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
 AND block_number >= {at_block:UInt64} AND (block_number > {at_block:UInt64} OR @source > {at_index:Int64}))
