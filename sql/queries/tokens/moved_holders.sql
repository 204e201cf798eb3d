-- name:    moved_holders
-- serves:  getToken, listTokenHolders, search
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits | from_block UInt64
-- returns: one row per holder whose balance has changed from a block behind the last closed era on; by how much, and its balance
--          as of that era, decimal
-- reads:   token_transfers by key, holder_balance_eras of who moved since
-- budget:  10 s, 2048 MiB, 5_000_000 rows
SELECT concat('0x', lower(hex(holder))) AS address, toString(after - before) AS delta, toString(before) AS closed
FROM ({{live_holder_balances(token = unhex({token:String}) AND block_number >= {from_block:UInt64})}})
