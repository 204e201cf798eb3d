-- name:    exchange_tables
-- serves:  rederive
-- params:  table: table to replace | fresh: its new version | twin: helper table that is exchanged with the
--          marker table, so that the statement locks the marker too
--          | claim_marker: table that exists as long as this process may write new blocks; without it, the statement fails
-- returns: nothing; exchanges the names of two tables, unless another process has taken over. ClickHouse locks all names before
--          the first exchange. So a process that takes over, and then deletes the marker table, waits for it
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
EXCHANGE TABLES {claim_marker:Identifier} AND {twin:Identifier}, {table:Identifier} AND {fresh:Identifier}
