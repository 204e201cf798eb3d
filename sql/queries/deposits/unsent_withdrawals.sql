-- name:    unsent_withdrawals
-- serves:  api
-- params:  before: Unix milliseconds
-- returns: withdrawals registered before that time whose stored signed bytes were never sent, or always rejected by the node;
--          oldest first
-- reads:   withdrawals, full scan; only the length of the signed bytes
-- budget:  60 s, 1024 MiB, 500 rows
SELECT concat('0x', lower(hex(hash))) AS tx_hash
FROM withdrawals FINAL
WHERE may_be_known = 0 AND is_void = 0 AND raw != '' AND created_at < fromUnixTimestamp64Milli({before:UInt64})
ORDER BY created_at, hash
LIMIT 500
