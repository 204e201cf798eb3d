-- name:    address_set
-- serves:  postAddressSet, patchAddressSet, listSetTransfers, streamAddressSet
-- params:  id: of the address set
-- returns: times of creation and last use of an address set (addresses that a client watches together), or no row
-- reads:   address_sets by primary key
-- budget:  10 s, 512 MiB, 1 row
SELECT toUnixTimestamp64Milli(created_at) AS created_ms, toUnixTimestamp64Milli(used_at) AS used_ms
FROM address_sets FINAL
WHERE id = {id:String} AND is_removed = 0
