-- name:    traced_blocks
-- serves:  verify, listAccountTransactions, getSemanticHistory, compatible account.txlistinternal
-- returns: block ranges with stored internal calls, unordered: ranges of finalized blocks, and a range per unfinalized block
-- reads:   traced_ranges (full scan), block_traces of the unfinalized blocks
-- budget:  10 s, 256 MiB, 1_000_000 rows
SELECT from_block, least(to_block, {finalized:UInt64}) AS to_block FROM traced_ranges FINAL
    -- a range may contain blocks that are final only in the next state of the chain
WHERE state = 'done' AND from_block <= {finalized:UInt64}
UNION ALL
SELECT block_number AS from_block, block_number AS to_block FROM block_traces
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
