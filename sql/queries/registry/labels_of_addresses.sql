-- name:    labels_of_addresses
-- serves:  getAccount, listTopAccounts, compatible nametag.getaddresstag
-- params:  addresses Array(String) hex digits
-- returns: names of these addresses in the current registry file, by address, kind and id
-- reads:   registry_labels by primary key, source_documents by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, concat('0x', lower(hex(id))) AS id_hex, kind AS kind_name, label, category
FROM registry_labels
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
  AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address, kind, id
LIMIT 1 BY address, id
