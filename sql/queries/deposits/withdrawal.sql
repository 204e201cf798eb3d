-- name:    withdrawal
-- serves:  postWithdrawal, getWithdrawal, rebroadcastWithdrawal
-- params:  hash String 64 hex digits
-- returns: what was told of it, or no row; what is signed comes before what was only said
-- reads:   withdrawals whole
-- budget:  10 s, 1024 MiB, 1 row
SELECT concat('0x', lower(hex(sender))) AS from_address, nonce, concat('0x', lower(hex(raw))) AS raw_hex,
    toUnixTimestamp64Milli(created_at) AS created_ms, toUnixTimestamp64Milli(broadcast_at) AS broadcast_ms, broadcast
FROM withdrawals FINAL
WHERE hash = toFixedString(unhex({hash:String}), 32)
ORDER BY raw = ''
LIMIT 1
