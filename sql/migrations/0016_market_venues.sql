-- 0016_market_venues
-- why:     trading venues that the administrator added
-- replay:  safe; keeps the newest version of its key
-- rebuild: can't be rebuilt: it is what the administrator sent

CREATE TABLE market_venues
(
    id         String               COMMENT 'From venue and pair; by which it is asked for',
    venue      String               COMMENT 'Name as shown',
    pair       String               COMMENT 'Base and quote, as in FAT/USDT',
    feed_url   String               COMMENT 'Order-book feed, HTTPS',
    venue_kind Enum8('cex' = 1)     COMMENT 'cex: centralised exchange',
    adapter    String               COMMENT 'Shape of the feed, found by the probe',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was added',
    is_removed UInt8                COMMENT '1: taken away',
    version    UInt64               COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id   -- answers "what is this venue"; they are few, and listed whole
COMMENT 'Trading venues. Written by the API after a probe of the feed';
