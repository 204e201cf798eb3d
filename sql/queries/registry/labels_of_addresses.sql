-- name:    labels_of_addresses
-- serves:  getAccount, listTopAccounts, compatible nametag.getaddresstag
-- returns: names of these addresses in this registry file, by address, kind and id
-- reads:   registry_labels by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, concat('0x', lower(hex(id))) AS id_hex, kind AS kind_name, label, category
FROM registry_labels
WHERE manifest = toFixedString(unhex({manifest:String}), 32)
  AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address, kind, id
LIMIT 1 BY address, id
