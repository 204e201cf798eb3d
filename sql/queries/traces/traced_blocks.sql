-- name:    traced_blocks
-- serves:  verify, listAccountTransactions, getSemanticHistory, compatible account.txlistinternal
-- returns: block ranges whose internal calls are stored, unordered: ranges of finalized blocks, and each unfinalized block as a
--          range
-- reads:   traced_ranges (full scan), block_traces of the unfinalized blocks
-- budget:  10 s, 256 MiB, 1_000_000 rows
SELECT from_block, least(to_block, {finalized:UInt64}) AS to_block FROM traced_ranges FINAL
    -- a range may already contain blocks that become final, before the new state of the chain is published
WHERE state = 'done' AND from_block <= {finalized:UInt64}
UNION ALL
SELECT block_number AS from_block, block_number AS to_block FROM block_traces
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
