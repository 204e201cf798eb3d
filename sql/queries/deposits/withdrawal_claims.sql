-- name:    withdrawal_claims
-- serves:  postWithdrawal, rebroadcastWithdrawal
-- returns: hashes of withdrawals that claim this nonce, lowest rank first
-- reads:   withdrawal_claims by primary key
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT concat('0x', lower(hex(hash))) AS tx_hash
FROM withdrawal_claims
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64}
GROUP BY hash
ORDER BY min(number), hash
