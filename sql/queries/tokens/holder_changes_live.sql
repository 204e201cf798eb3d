-- name:    holder_changes_live
-- serves:  listHolderChanges
-- params:  from_block: first block after the hours with stored figures | from_time: start of the first hour, Unix seconds
--          | to_time: end of the last hour, exclusive
--          | base_block: start of a rollup window (block range with stored totals), at or before from_block; all earlier windows are
--            stored
-- returns: one row per token whose number of holders changed after the stored hours: the change
-- reads:   token_transfers, blocks from base_block on; token_balance_eras_by_holder for the addresses found
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT lower(hex(token)) AS token_hex, toInt64(sum(amount)) AS change
FROM ({{holder_steps((
    SELECT * FROM token_transfers WHERE block_number >= {base_block:UInt64} AND {{visible}}
    LIMIT 1 BY token, block_number, log_index, batch_index))}})
WHERE bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket < toDateTime({to_time:UInt32}, 'UTC')
GROUP BY token
HAVING change != 0
