-- name:    note_withdrawal
-- serves:  postWithdrawal, rebroadcastWithdrawal
-- params:  version: of the previous row | broadcast: outcome of sending | broadcast_at: Unix milliseconds
--          | may_be_known: 1: a node may have received the transaction
-- returns: nothing; stores the new status of a withdrawal, unless its row changed since that version
-- reads:   withdrawals by primary key
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO withdrawals
    (hash, sender, nonce, raw, created_at, broadcast_at, broadcast, version, owner, is_void, may_be_known, is_signed)
SELECT hash, sender, nonce, raw, created_at, fromUnixTimestamp64Milli({broadcast_at:UInt64}), {broadcast:String}, version + 1, owner, 0,
    {may_be_known:UInt8}, is_signed
FROM withdrawals FINAL
WHERE sender = toFixedString(unhex({sender:String}), 20) AND nonce = {nonce:UInt64} AND hash = toFixedString(unhex({hash:String}), 32)
    AND version = {version:UInt64} AND is_void = 0
