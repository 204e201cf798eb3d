-- name:    watched_addresses
-- serves:  listWatches, getWatch, createWatch, replayWatch
-- returns: one row per watch (webhook for transfers) and watched address
-- reads:   address_set_members by primary key
-- budget:  5 s, 128 MiB, 100_000 rows
SELECT set_id, concat('0x', lower(hex(address))) AS address_hex
FROM address_set_members FINAL
WHERE set_id IN (SELECT arrayJoin({watch_ids:Array(String)})) AND is_member = 1
ORDER BY set_id, address
