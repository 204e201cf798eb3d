-- name:    store_withdrawal_claim
-- serves:  postWithdrawal, rebroadcastWithdrawal
-- returns: nothing; stores that the withdrawal claims the nonce, with a rank above all claims that the statement sees. The
--          claim with the lowest rank owns the nonce
-- reads:   withdrawal_claims by primary key
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO withdrawal_claims (sender, nonce, number, hash)
SELECT toFixedString(unhex({sender:String}), 20), {nonce:UInt64}, max(number) + 1, toFixedString(unhex({hash:String}), 32)
FROM withdrawal_claims
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64}
