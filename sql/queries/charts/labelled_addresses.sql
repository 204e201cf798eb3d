-- name:    labelled_addresses
-- serves:  getChart, queryStats
-- returns: addresses with this category or label in the current registry file (list of named addresses), hex digits
-- reads:   registry_labels of the current file, source_documents by primary key
-- budget:  10 s, 512 MiB, 100_001 rows
SELECT DISTINCT lower(hex(address)) AS address_hex
FROM registry_labels
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
    /*?category:*/ AND category = {category:String} /*?;*/
    /*?label:*/ AND lower(label) = lower({label:String}) /*?;*/
LIMIT {limit:UInt32}
