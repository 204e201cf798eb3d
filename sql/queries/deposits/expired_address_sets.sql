-- name:    expired_address_sets
-- serves:  api
-- params:  before: Unix milliseconds
-- returns: ids of address sets that were removed, or last used before that time. Includes sets of deleted watches. Sets of
--          active watches have no row in address_sets
-- reads:   address_sets, full scan
-- budget:  60 s, 1024 MiB, 1_000 rows
SELECT id FROM address_sets
GROUP BY id
HAVING argMax(is_removed, version) = 1 OR max(used_at) < fromUnixTimestamp64Milli({before:Int64})
LIMIT 1000
