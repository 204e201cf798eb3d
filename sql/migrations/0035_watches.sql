-- 0035_watches
-- why:     signed-in users give addresses private names, and are notified of transfers of addresses that they watch
-- replay:  safe; a row is a complete state, and the newest row of a key is valid
-- rebuild: not derivable: it is what clients sent

CREATE TABLE private_tags
(
    owner      String          COMMENT 'Identity that named the address',
    address    FixedString(20) COMMENT 'Address',
    tag        String          COMMENT 'Private name of the address',
    note       String          COMMENT 'Private note; may be empty',
    is_removed UInt8           COMMENT '1: the owner removed the name',
    version    UInt64          COMMENT 'Time of the change, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (owner, address)   -- answers "the names that this identity gave"
SETTINGS index_granularity = 256
COMMENT 'Private names of addresses. Written by the API';

CREATE TABLE watches
(
    id         String                COMMENT 'Random identifier, 32 hex digits; also the set of its addresses in address_set_members',
    owner      String                COMMENT 'Identity that watches',
    name       String                COMMENT 'Name that the owner chose; may be empty',
    url        String                COMMENT 'URL that receives the notifications',
    created_at DateTime64(3, 'UTC')  COMMENT 'Time of creation',
    is_removed UInt8                 COMMENT '1: the owner removed the watch',
    version    UInt64                COMMENT 'Time of the change, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id   -- answers "this watch"; lists read all rows, there are few
COMMENT 'Addresses that signed-in users watch, and where notifications go. Written by the API';

CREATE TABLE watch_progress
(
    watch_id      String                COMMENT 'Watch',
    position      String                COMMENT 'Id of the last event that was processed',
    delivered     UInt64                COMMENT 'Number of notifications that the receiver accepted',
    delivered_at  DateTime64(3, 'UTC')  COMMENT 'Time of the last accepted notification; 1970 if there is none',
    attempts      UInt32                COMMENT 'Number of failed attempts for the next notification',
    failing_since DateTime64(3, 'UTC')  COMMENT 'Time of the first of these attempts; 1970 if there is none',
    retry_at      DateTime64(3, 'UTC')  COMMENT 'Earliest time of the next attempt',
    is_paused     UInt8                 COMMENT '1: the receiver failed for too long; the owner must restart the watch',
    last_error    String                COMMENT 'Reason of the last failed attempt; empty if the last attempt succeeded',
    version       UInt64                COMMENT 'Time of the change, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY watch_id   -- answers "how far is this watch"
COMMENT 'Progress of notifications. Written by the API process that sends them'
