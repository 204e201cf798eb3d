-- name:    address_set_addresses
-- serves:  getStatement
-- params:  id: of an address set | limit: one more than the allowed number of addresses
-- returns: addresses of the set, sorted
-- reads:   address_set_members by primary key
-- budget:  20 s, 2048 MiB, 2_501 rows
SELECT lower(hex(address)) AS address_hex FROM address_set_members FINAL
WHERE set_id = {id:String} AND is_member = 1
ORDER BY address
LIMIT {limit:UInt32}
