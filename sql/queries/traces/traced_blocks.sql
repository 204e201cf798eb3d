-- name:    traced_blocks
-- serves:  verify, listAccountTransactions, getSemanticHistory, compatible account.txlistinternal
-- params:  finalized UInt64 | head UInt64 of the snapshot
-- returns: ranges of blocks with stored traces, unordered: finalized blocks from the journal, unfinalized blocks one by one
-- reads:   traced_ranges (full scan), block_traces of the unfinalized blocks
-- budget:  10 s, 256 MiB, 1_000_000 rows
SELECT from_block, to_block FROM traced_ranges FINAL WHERE state = 'done'
UNION ALL
SELECT block_number AS from_block, block_number AS to_block FROM block_traces
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
