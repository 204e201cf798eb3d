-- name:    database_start
-- serves:  pipeline
-- returns: one row: Unix time at which the database process started
-- reads:   nothing
-- budget:  5 s, 64 MiB, 1 row
SELECT toUInt32(toUnixTimestamp(now()) - uptime()) AS started_at
