-- name:    source_document
-- serves:  pipeline, getRegistryStats, listRegistryStrings, listRegistryLabels, getRegistryManifest, getRegistryEntity,
--          getEcosystemDirectory
-- returns: an external document (registry file or ecosystem directory) in up to two rows: its fields without the text (part 1),
--          its last check (part 2)
-- reads:   source_documents and source_checks by primary key
-- budget:  5 s, 256 MiB, 2 rows
SELECT 1 AS part, concat('0x', lower(hex(sha256))) AS sha256_hex, source, version, toUInt32(generated_at) AS generated_time, entry_count,
    toUnixTimestamp64Milli(stored_at) AS first_ms, toInt64(0) AS second_ms, '' AS fault
FROM (SELECT * EXCEPT document FROM source_documents WHERE name = {name:String} ORDER BY stored_at DESC LIMIT 1)
UNION ALL
SELECT 2, '', source, '', 0, 0, toUnixTimestamp64Milli(checked_at), toUnixTimestamp64Milli(succeeded_at), fault
FROM (SELECT * FROM source_checks WHERE name = {name:String} ORDER BY checked_at DESC LIMIT 1)
