-- name:    unsent_withdrawals
-- serves:  api
-- params:  before UInt64 Unix milliseconds
-- returns: signed withdrawals registered before that, which the network cannot know from here; the oldest first, with their highest claim
-- reads:   withdrawals whole, without their bytes; withdrawal_claims of those found
-- budget:  60 s, 1024 MiB, 500 rows
WITH unsent AS
(
    SELECT hash, created_at
    FROM withdrawals FINAL
    WHERE may_be_known = 0 AND is_void = 0 AND created_at < fromUnixTimestamp64Milli({before:UInt64})
    ORDER BY created_at
    LIMIT 500
)
SELECT concat('0x', lower(hex(hash))) AS tx_hash, max(claims.number) AS claimed
FROM unsent
LEFT JOIN (SELECT hash, number FROM withdrawal_claims WHERE hash IN (SELECT hash FROM unsent)) AS claims USING (hash)
GROUP BY hash
ORDER BY min(created_at), hash
