-- name:    delete_withdrawal_claims
-- serves:  api
-- params:  hashes Array(String) 64 hex digits each | numbers Array(UInt64) highest claim of each that goes
-- returns: nothing; waits until the claims are gone; a later one of the same withdrawal stays
-- reads:   withdrawal_claims whole
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE withdrawal_claims DELETE
WHERE has({hashes:Array(String)}, lower(hex(hash))) AND number <= arrayElement({numbers:Array(UInt64)}, indexOf({hashes:Array(String)}, lower(hex(hash))))
SETTINGS mutations_sync = 2
