-- name:    search_contracts
-- serves:  search
-- returns: verified contracts whose name contains the text, most similar first
-- reads:   verified_contracts, full scan of two small columns
-- budget:  5 s, 256 MiB, 201 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, name
FROM verified_contracts FINAL
WHERE positionCaseInsensitiveUTF8(name, {text:String}) > 0
ORDER BY startsWith(lowerUTF8(name), lowerUTF8({text:String})) DESC, lengthUTF8(name), address
LIMIT {limit:UInt32}
