-- name:    address_set_size
-- serves:  postAddressSet, patchAddressSet, getAddressSet
-- params:  id: of an address set
-- returns: one row: number of addresses in the set
-- reads:   address_set_members by primary key
-- budget:  20 s, 2048 MiB, 1 row
SELECT count() AS members FROM address_set_members FINAL WHERE set_id = {id:String} AND is_member = 1
