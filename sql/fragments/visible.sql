-- What a reader may see of a table with columns final and block_number: complete final blocks, and the blocks above them
-- up to the head. Neither a promotion nor a reorg that is half done shows. Parameters: one snapshot of chain_state.
((final = 1 AND block_number <= {finalized:UInt64}
    AND (block_number < {backfilled_before:UInt64} OR block_number >= {follow_from:UInt64}))
 OR (final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}))
