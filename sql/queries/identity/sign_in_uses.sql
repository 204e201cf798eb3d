-- name:    sign_in_uses
-- serves:  signIn, linkWallet
-- params:  nonce String
-- returns: uses of a nonce
-- reads:   sign_in_uses by key
-- budget:  5 s, 64 MiB, 100 rows
SELECT use FROM sign_in_uses FINAL WHERE nonce = {nonce:String} LIMIT 100
