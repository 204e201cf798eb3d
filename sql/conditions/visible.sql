-- What a reader may see of a table with columns final and block_number: complete final blocks, and the blocks above them
-- up to the head. Neither a promotion nor a reorg that is half done shows. Parameters: one snapshot of chain_state.
-- Written without OR: the planner takes 5 ms longer over every statement that has one here.
(block_number <= {head:UInt64} AND if(final = 1,
    bitAnd(block_number <= {finalized:UInt64}, bitOr(block_number < {backfilled_before:UInt64}, block_number >= {follow_from:UInt64})),
    block_number > {finalized:UInt64}))
