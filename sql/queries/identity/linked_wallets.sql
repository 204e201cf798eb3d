-- name:    linked_wallets
-- serves:  api
-- params:  identity String
-- returns: wallets of the identity, lower-case hex
-- reads:   linked_wallets by its key
-- budget:  5 s, 64 MiB, 1000 rows
SELECT concat('0x', lower(hex(wallet))) AS address, toUnixTimestamp64Milli(linked_at) AS linked_ms
FROM linked_wallets FINAL
WHERE identity = {identity:String} AND is_linked = 1
ORDER BY linked_at, wallet
