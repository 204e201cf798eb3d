-- Finalized rows up to {finalized}. sql/compile/finalized-form.ts replaces `visible` by this faster condition if a request
-- reads only finalized blocks, and no older block is missing.
(final = 1 AND block_number <= {finalized:UInt64})
