-- name:    search_signatures
-- serves:  search
-- params:  text: at least 3 characters: start of a name, or a signature
-- returns: functions and events whose signature starts with the text; bundled ones first, then shorter names
-- reads:   signatures, full scan: some thousand rows
-- budget:  5 s, 256 MiB, 201 rows
SELECT lower(hex(selector)) AS selector_hex, kind, signature, declaration
FROM signatures FINAL
WHERE startsWith(lowerUTF8(signature), lowerUTF8({text:String})) AND kind != 'error'
ORDER BY priority DESC, position(signature, '('), signature
LIMIT 1 BY selector
LIMIT {limit:UInt32}
