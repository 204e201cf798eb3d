-- name:    venue_version
-- serves:  postMarket, deleteMarket
-- returns: one row: highest version of the rows of an exchange order book, even if removed; 0: none
-- reads:   market_venues by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT max(market_venues.version) AS version FROM market_venues WHERE id = {id:String}
