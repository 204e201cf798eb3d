-- Number of blocks with validator withdrawals after {block} up to {through}. The recipients are not stored, so movements do not
-- explain all balance changes of these blocks.
SELECT count() FROM blocks
WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64} AND withdrawal_count > 0
