-- Accounts that produced a block after {block} up to {through}.
SELECT miner FROM blocks WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64}
