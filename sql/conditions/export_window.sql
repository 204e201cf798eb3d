-- Final rows of an export: in the window, after the last row of the previous export; the argument is the position column.
(final = 1 AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
 AND block_number >= {at_block:UInt64} AND (block_number > {at_block:UInt64} OR @source > {at_index:Int64}))
