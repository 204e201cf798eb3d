-- Number of blocks with validator withdrawals after {block} up to {through}. Their recipients are unknown, so balances are not explained
-- by movements.
SELECT count() FROM blocks
WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64} AND withdrawal_count > 0
