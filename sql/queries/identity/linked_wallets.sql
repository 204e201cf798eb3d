-- name:    linked_wallets
-- serves:  api
-- params:  identity String
-- returns: all wallets ever linked to the identity, lower-case hex, each with its version
-- reads:   linked_wallets by primary key
-- budget:  5 s, 64 MiB, 1000 rows
SELECT concat('0x', lower(hex(wallet))) AS address, is_linked, version
FROM linked_wallets FINAL
WHERE identity = {identity:String}
ORDER BY linked_at, wallet
