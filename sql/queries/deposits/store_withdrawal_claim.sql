-- name:    store_withdrawal_claim
-- serves:  postWithdrawal, rebroadcastWithdrawal
-- params:  sender String 40 hex digits | nonce UInt64 | hash String 64 hex digits
-- returns: nothing; stores that a withdrawal claims a nonce, with a rank above all claims visible at its start (the lowest rank
--          owns the nonce)
-- reads:   withdrawal_claims by primary key
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO withdrawal_claims (sender, nonce, number, hash)
SELECT toFixedString(unhex({sender:String}), 20), {nonce:UInt64}, max(number) + 1, toFixedString(unhex({hash:String}), 32)
FROM withdrawal_claims
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64}
