-- Selects finalized rows up to {finalized}. A faster form of the condition `visible`: sql/compile/finalized-form.ts uses it where
-- the request reads no block above the finalized one and no block below is missing.
(final = 1 AND block_number <= {finalized:UInt64})
