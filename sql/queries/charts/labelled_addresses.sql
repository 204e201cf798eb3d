-- name:    labelled_addresses
-- serves:  getChart
-- params:  category String | limit UInt32
-- returns: addresses whose entry in the current registry file has this category, hex digits
-- reads:   registry_labels of the current file, source_documents by primary key
-- budget:  10 s, 512 MiB, 100_001 rows
SELECT DISTINCT lower(hex(address)) AS address_hex
FROM registry_labels
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest') AND category = {category:String}
LIMIT {limit:UInt32}
