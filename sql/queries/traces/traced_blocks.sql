-- name:    traced_blocks
-- serves:  verify, listAccountTransactions, getSemanticHistory, compatible account.txlistinternal
-- params:  finalized UInt64 | head UInt64 of the snapshot
-- returns: ranges of blocks whose traces are stored, in no order: of settled blocks from the journal, unsettled ones each alone
-- reads:   traced_ranges whole, block_traces of the unsettled blocks
-- budget:  10 s, 256 MiB, 1_000_000 rows
SELECT from_block, to_block FROM traced_ranges FINAL WHERE state = 'done'
UNION ALL
SELECT block_number AS from_block, block_number AS to_block FROM block_traces
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
