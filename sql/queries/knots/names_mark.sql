-- name:    names_mark
-- serves:  pipeline
-- returns: one row: a number that changes when names or categories in this registry file change
-- reads:   registry_labels by primary key
-- budget:  60 s, 1024 MiB, 1 row
SELECT bitAnd(groupBitXor(cityHash64(address, label, category)), 4503599627370495) AS mark
FROM
(
    -- the same entry per address as in knot_labels
    SELECT address, label, category
    FROM registry_labels
    WHERE manifest = toFixedString(unhex({manifest:String}), 32)
    ORDER BY address, kind, id
    LIMIT 1 BY address
)
