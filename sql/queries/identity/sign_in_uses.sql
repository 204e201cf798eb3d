-- name:    sign_in_uses
-- serves:  signIn, linkWallet
-- returns: one row per sign-in with this nonce; several rows mean that the nonce was used twice
-- reads:   sign_in_uses by primary key
-- budget:  5 s, 64 MiB, 100 rows
SELECT use FROM sign_in_uses FINAL WHERE nonce = {nonce:String} LIMIT 100
