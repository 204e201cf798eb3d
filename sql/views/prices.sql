-- view:   prices
-- what:   price of the native coin, one row per finished day with trades; empty if the service knows no price
-- fast:   any filter
-- base:   none
-- column: day Start of the day, UTC
-- column: price Dollars per coin, from trades of liquidity pools, weighted by volume
SELECT toDateTime(day_start, 'UTC') AS day, toDecimal128(day_price, 12) AS price
FROM (SELECT {price_days:Array(UInt32)} AS day_start, {price_values:Array(String)} AS day_price)
ARRAY JOIN day_start, day_price
