-- name:    source_document
-- serves:  pipeline, getRegistryStats, listRegistryStrings, listRegistryLabels, getRegistryManifest, getRegistryEntity, getEcosystemDirectory
-- params:  name String
-- returns: what is stored of a source and when it was looked at, apart from the document itself; no row where nothing is known
-- reads:   source_documents and source_checks by key
-- budget:  5 s, 256 MiB, 1 row
SELECT d.has_document, concat('0x', lower(hex(d.sha256))) AS sha256_hex, if(d.has_document = 1, d.source, c.source) AS source, d.version, toUInt32(d.generated_at) AS generated_time,
    d.entry_count, toUnixTimestamp64Milli(d.stored_at) AS stored_ms, toUnixTimestamp64Milli(c.checked_at) AS checked_ms,
    toUnixTimestamp64Milli(c.succeeded_at) AS succeeded_ms, c.fault AS fault
FROM
(
    SELECT name, 1 AS has_document, sha256, source, version, generated_at, entry_count, stored_at FROM source_documents
    WHERE name = {name:String} ORDER BY stored_at DESC LIMIT 1
) AS d
FULL JOIN (SELECT name, source, checked_at, succeeded_at, fault FROM source_checks WHERE name = {name:String} ORDER BY checked_at DESC LIMIT 1) AS c USING (name)
