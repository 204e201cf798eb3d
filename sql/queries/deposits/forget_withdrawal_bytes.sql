-- name:    forget_withdrawal_bytes
-- serves:  api
-- params:  version: version of the row that was checked
-- returns: nothing; deletes the signed bytes of the withdrawal, unless its row changed since that version
-- reads:   withdrawals by primary key
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO withdrawals
    (hash, sender, nonce, raw, created_at, broadcast_at, broadcast, version, owner, is_void, may_be_known, is_signed)
SELECT hash, sender, nonce, '', created_at, broadcast_at, broadcast, version + 1, owner, 0, 0, 1
FROM withdrawals FINAL
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64} AND hash = toFixedString(unhex({hash:String}), 32)
    AND version = {version:UInt64} AND may_be_known = 0 AND is_void = 0
