-- name:    private_tags
-- serves:  listPrivateTags, setPrivateTag
-- returns: private names of addresses that this identity (signed-in client) wrote, by address
-- reads:   private_tags by primary key
-- budget:  5 s, 128 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, tag, note, version
FROM private_tags FINAL
WHERE owner = {owner:String} AND is_removed = 0
ORDER BY address
