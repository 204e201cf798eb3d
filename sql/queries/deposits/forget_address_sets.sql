-- name:    forget_address_sets
-- serves:  api
-- params:  table: address_set_members or address_sets | column: set_id or id
-- returns: nothing; deletes the rows of these address sets
-- reads:   the table by its first key column
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE {column:Identifier} IN ({ids:Array(String)}) SETTINGS mutations_sync = 2
