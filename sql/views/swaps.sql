-- view:   swaps
-- what:   swaps of liquidity pools (Uniswap V2 and V3 events), one row each; any contract can emit such events
-- fast:   filters on pool, then on block_number
-- base:   swaps
SELECT pool, block_number, log_index, tx_index, tx_hash, timestamp, kind, sender, recipient, amount0, amount1
FROM swaps FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
