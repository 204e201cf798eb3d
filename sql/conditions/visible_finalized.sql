-- Same as `visible` if no block above the finalized one is needed and there is no gap below it; sql/compile/finalized-form.ts
-- uses it instead of `visible`. Parameter: finalized.
(final = 1 AND block_number <= {finalized:UInt64})
