-- name:    reference_data
-- serves:  migrate
-- params:  name: file of sql/reference, without ending
-- returns: SHA-256 of the loaded version of the file, or no row
-- reads:   reference_data by primary key
-- budget:  5 s, 64 MiB, 1 rows
SELECT sha256
FROM reference_data
WHERE name = {name:String}
ORDER BY loaded_at DESC
LIMIT 1
