-- name:    withdrawals_of_nonce
-- serves:  postWithdrawal
-- returns: hashes of registered signed transactions of this sender and nonce
-- reads:   withdrawals by primary key
-- budget:  10 s, 512 MiB, 1_000 rows
SELECT concat('0x', lower(hex(hash))) AS tx_hash
FROM withdrawals FINAL
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64} AND is_signed = 1 AND is_void = 0
