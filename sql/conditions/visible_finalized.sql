-- The same as `visible` where no block above the finalized one is asked for and no gap is left below it; sql/finalized-form.ts
-- puts it in its place. Parameter: finalized.
(final = 1 AND block_number <= {finalized:UInt64})
