-- name:    members_of_set
-- serves:  patchAddressSet
-- returns: one row: how many of these addresses are in the set, and the newest version of their rows
-- reads:   address_set_members by primary key
-- budget:  10 s, 512 MiB, 1 row
WITH asked AS (SELECT DISTINCT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20) AS address)
SELECT
    (SELECT count() FROM {{members_among(SELECT address FROM asked)}}) AS members,
    (SELECT max(version) FROM address_set_members WHERE set_id = {set_id:String} AND address IN (SELECT address FROM asked)) AS newest
