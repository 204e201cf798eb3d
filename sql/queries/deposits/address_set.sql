-- name:    address_set
-- serves:  postAddressSet, patchAddressSet, listSetTransfers, streamAddressSet
-- params:  id String
-- returns: the set with the number of its members, or no row
-- reads:   address_sets and address_set_members by key
-- budget:  20 s, 2048 MiB, 1 row
SELECT toUnixTimestamp64Milli(created_at) AS created_ms, toUnixTimestamp64Milli(used_at) AS used_ms,
    (SELECT count() FROM address_set_members FINAL WHERE set_id = {id:String} AND is_member = 1) AS members
FROM address_sets FINAL
WHERE id = {id:String} AND is_removed = 0
