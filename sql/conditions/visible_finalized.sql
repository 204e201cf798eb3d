-- Same as `visible`, for readers that need no block above the finalized one, if no block below it is missing; sql/compile/finalized-form.ts
-- uses it instead of `visible`. Parameter: finalized.
(final = 1 AND block_number <= {finalized:UInt64})
