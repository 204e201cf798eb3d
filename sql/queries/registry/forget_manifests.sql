-- name:    forget_manifests
-- serves:  pipeline
-- params:  table: registry_entities or registry_labels | kept: hashes of registry files to keep, hex
--          | before: Unix seconds: rows written later are kept
-- returns: nothing; deletes the rows of all other registry files, and waits
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE
    WHERE lower(hex(manifest)) NOT IN {kept:Array(String)} AND written_at < toDateTime({before:UInt32}, 'UTC') SETTINGS mutations_sync = 2
