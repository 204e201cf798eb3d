-- Condition that selects the rows a reader may see: rows of completely stored finalized blocks, and of the blocks above them up to
-- the head. It hides rows of an unfinished finalization or reorg. Needs columns final and block_number. Parameters: one snapshot of chain_state.
-- Written without OR, which would cost the planner 5 ms per statement.
(block_number <= {head:UInt64} AND if(final = 1,
    bitAnd(block_number <= {finalized:UInt64}, bitOr(block_number < {backfilled_before:UInt64}, block_number >= {follow_from:UInt64})),
    block_number > {finalized:UInt64}))
