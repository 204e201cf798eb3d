-- name:    expire_withdrawal
-- serves:  api
-- params:  sender String 40 hex digits | nonce UInt64 | hash String 64 hex digits
-- returns: nothing; voids a withdrawal without its bytes, where it was not sent meanwhile: its version is the next one, below that of any row written now
-- reads:   withdrawals by key
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO withdrawals (hash, sender, nonce, raw, created_at, broadcast_at, broadcast, version, owner, is_void, may_be_known)
SELECT hash, sender, nonce, '', created_at, broadcast_at, broadcast, version + 1, owner, 1, 0
FROM withdrawals FINAL
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64}
    AND hash = toFixedString(unhex({hash:String}), 32) AND may_be_known = 0 AND is_void = 0
