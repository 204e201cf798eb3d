-- name:    venues
-- serves:  listMarkets, getMarket, postMarket, deleteMarket
-- returns: all exchange order books whose market data is read, by id, and removed ones (is_removed: 1)
-- reads:   market_venues, full scan (few rows)
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT id, venue, pair, feed_url, adapter, toUnixTimestamp64Milli(created_at) AS created_ms, is_removed, version
FROM market_venues FINAL
ORDER BY id
