-- name:    audit_tokens
-- serves:  pipeline
-- params:  day UInt32 seed of the random choice | limit UInt32
-- returns: random TOKEN-20 contracts with a supply, one row each
-- reads:   tokens, full scan
-- budget:  30 s, 512 MiB, 100 rows
SELECT concat('0x', lower(hex(address))) AS address
FROM (SELECT address, standard, total_supply FROM tokens FINAL)
WHERE standard = 'erc20' AND total_supply IS NOT NULL
ORDER BY cityHash64(address, {day:UInt32})
LIMIT {limit:UInt32}
