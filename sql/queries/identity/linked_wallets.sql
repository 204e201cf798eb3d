-- name:    linked_wallets
-- serves:  api
-- params:  wallet: 40 hex digits: only this wallet, even if it was unlinked; empty: all linked wallets
-- returns: wallets linked to the identity (account of a client), lower-case hex, with the version of their rows
-- reads:   linked_wallets by primary key
-- budget:  5 s, 64 MiB, 1000 rows
SELECT concat('0x', lower(hex(wallet))) AS address, is_linked, version
FROM linked_wallets FINAL
WHERE identity = {identity:String} AND if({wallet:String} = '', is_linked = 1, wallet = unhex({wallet:String}))
ORDER BY linked_at, wallet
