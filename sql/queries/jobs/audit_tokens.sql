-- name:    audit_tokens
-- serves:  pipeline
-- params:  day: seed of the random choice
-- returns: random ERC-20 contracts with a known supply
-- reads:   tokens, full scan
-- budget:  30 s, 512 MiB, 100 rows
SELECT concat('0x', lower(hex(address))) AS address
FROM (SELECT address, standard, total_supply FROM tokens FINAL)
WHERE standard = 'erc20' AND total_supply IS NOT NULL
ORDER BY cityHash64(address, {day:UInt32})
LIMIT {limit:UInt32}
