-- name:    withdrawal
-- serves:  postWithdrawal, getWithdrawal, rebroadcastWithdrawal
-- returns: registration of the withdrawal with this hash, or no row. Of several, one with signed bytes, else the earliest
-- reads:   withdrawals by primary key, after a scan for the hash
-- budget:  5 s, 512 MiB, 1 row
SELECT concat('0x', lower(hex(sender))) AS from_address, nonce, concat('0x', lower(hex(raw))) AS raw_hex,
    toUnixTimestamp64Milli(created_at) AS created_ms, toUnixTimestamp64Milli(broadcast_at) AS broadcast_ms, broadcast, owner,
    may_be_known, is_signed, version
FROM withdrawals FINAL
WHERE (sender, nonce, hash) IN (SELECT sender, nonce, hash FROM withdrawals WHERE hash = toFixedString(unhex({hash:String}), 32)) AND is_void = 0
ORDER BY is_signed DESC, created_at
LIMIT 1
