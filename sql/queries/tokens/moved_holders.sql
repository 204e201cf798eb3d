-- name:    moved_holders
-- serves:  listTokenHolders
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
-- returns: one row per holder whose balance has changed since the last closed era; its balance now, decimal
-- reads:   token_transfers since the last closed era, holder_balance_eras of who moved since
-- budget:  10 s, 2048 MiB, 5_000_000 rows
SELECT concat('0x', lower(hex(holder))) AS address, toString(after) AS balance
FROM ({{live_holder_balances(token = unhex({token:String}))}})
