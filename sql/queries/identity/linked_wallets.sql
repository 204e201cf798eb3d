-- name:    linked_wallets
-- serves:  api
-- params:  identity String
-- returns: wallets of the identity, lower-case hex, those that were unlinked too; version of each
-- reads:   linked_wallets by its key
-- budget:  5 s, 64 MiB, 1000 rows
SELECT concat('0x', lower(hex(wallet))) AS address, is_linked, version
FROM linked_wallets FINAL
WHERE identity = {identity:String}
ORDER BY linked_at, wallet
