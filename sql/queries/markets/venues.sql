-- name:    venues
-- serves:  api, listMarkets, getMarket, postMarket, deleteMarket
-- returns: exchange order books whose market data is read, by id
-- reads:   market_venues, full scan (few rows)
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT id, venue, pair, feed_url, adapter, toUnixTimestamp64Milli(created_at) AS created_ms
FROM market_venues FINAL
WHERE is_removed = 0
ORDER BY id
