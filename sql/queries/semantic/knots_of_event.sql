-- name:    knots_of_event
-- serves:  getKnot
-- params:  log_index: -1: the transaction itself | time: Unix seconds of its block | wallets: 40 hex digits each
--          | is_any: 1: all wallets
-- returns: event (row of knots) with this id, one row per wallet in it
-- reads:   knots: with wallets, by primary key; else by the index on tx_hash
-- budget:  10 s, 1024 MiB, 1000 rows
SELECT
{{knot_columns}}
FROM knots FINAL
WHERE if({is_any:UInt8} = 1, 1, wallet IN (SELECT toFixedString(unhex(arrayJoin({wallets:Array(String)})), 20)))
    AND timestamp = toDateTime({time:UInt32}, 'UTC') AND tx_hash = unhex({tx_hash:String})
    AND log_index = {log_index:Int32} AND part = {part:UInt16} AND block_number <= {through_block:UInt64}
ORDER BY wallet
LIMIT 1000
