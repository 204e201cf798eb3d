-- name:    audit_tokens
-- serves:  pipeline
-- params:  day UInt32 another number gives others | limit UInt32
-- returns: one row per plain token (TOKEN-20 with a supply), chosen at random
-- reads:   tokens whole
-- budget:  30 s, 512 MiB, 100 rows
SELECT concat('0x', lower(hex(address))) AS address
FROM (SELECT address, standard, total_supply FROM tokens FINAL)
WHERE standard = 'erc20' AND total_supply IS NOT NULL
ORDER BY cityHash64(address, {day:UInt32})
LIMIT {limit:UInt32}
