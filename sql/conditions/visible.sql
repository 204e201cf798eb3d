-- Rows that readers may see: completely stored finalized blocks, and the blocks above them up to the head. Hides rows that an
-- unfinished finalization or reorg has written. Needs the columns final and block_number, and a row of chain_state as
-- parameters.
-- Without OR, which would add 5 ms of query planning per statement.
(block_number <= {head:UInt64} AND if(final = 1,
    bitAnd(block_number <= {finalized:UInt64}, bitOr(block_number < {backfilled_before:UInt64}, block_number >= {follow_from:UInt64})),
    block_number > {finalized:UInt64}))
