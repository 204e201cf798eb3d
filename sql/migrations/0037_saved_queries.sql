-- 0037_saved_queries
-- why:     clients keep SQL queries under a link, and have them run regularly
-- replay:  safe; a row is a complete state, and the newest row of a key is valid
-- rebuild: queries and schedules are not derivable: they are what clients sent; results by running the queries again

CREATE TABLE saved_queries
(
    id         String                 COMMENT 'Random identifier, 32 hex digits',
    number     UInt32                 COMMENT 'Version of the query: 1, 2, 3 …; a version never changes',
    owner      String                 COMMENT 'Identity that saved the query',
    title      String                 COMMENT 'Title that the owner chose',
    sql        String                 COMMENT 'SELECT statement on the public views',
    parameters String                 COMMENT 'Values of placeholders, as a JSON object of strings',
    at         LowCardinality(String) COMMENT 'Last block that the query reads: finalized or head',
    created_at DateTime64(3, 'UTC')   COMMENT 'Time when this version was saved',
    is_removed UInt8                  COMMENT '1: the owner removed the query',
    version    UInt64                 COMMENT 'Time of the change, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (id, number)   -- answers "this query"; lists read all rows, there are few
SETTINGS index_granularity = 256
COMMENT 'SQL queries that clients saved. Written by the API';

CREATE TABLE sql_schedules
(
    query_id      String               COMMENT 'Saved query, of which the newest version runs',
    owner         String               COMMENT 'Identity that scheduled the query',
    every_minutes UInt32               COMMENT 'Time between two runs, minutes',
    url           String               COMMENT 'URL that receives the results; empty: none',
    next_at       DateTime64(3, 'UTC') COMMENT 'Time of the next run',
    sent_through  DateTime64(3, 'UTC') COMMENT 'Time of the last run whose result the receiver accepted; 1970 if there is none',
    attempts      UInt32               COMMENT 'Number of failed attempts to send the next result',
    failing_since DateTime64(3, 'UTC') COMMENT 'Time of the first of these attempts; 1970 if there is none',
    retry_at      DateTime64(3, 'UTC') COMMENT 'Earliest time of the next attempt',
    is_paused     UInt8                COMMENT '1: the receiver failed for too long; the owner must set the schedule again',
    last_error    String               COMMENT 'Reason of the last failed run or attempt; empty if it succeeded',
    is_removed    UInt8                COMMENT '1: the owner removed the schedule',
    version       UInt64               COMMENT 'Time of the change, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY query_id   -- answers "the schedule of this query"; the runner reads all rows, there are few
COMMENT 'Regular runs of saved queries, and the progress of their notifications. Written by the API';

CREATE TABLE sql_results
(
    query_id     String               COMMENT 'Saved query',
    slot         UInt8                COMMENT 'Place of the result among the newest 100 of its query, which newer results replace',
    run_at       DateTime64(3, 'UTC') COMMENT 'Time for which the run was scheduled',
    number       UInt32               COMMENT 'Version of the query that ran',
    block_number UInt64               COMMENT 'Last block that the query read; 0 if it failed',
    block_hash   String               COMMENT 'Hash of this block, 0x and hex digits; empty if the query failed',
    columns      String               COMMENT 'Names and types of the columns, as JSON',
    rows         String               COMMENT 'Rows, as JSON',
    row_count    UInt64               COMMENT 'Number of rows',
    error        String               COMMENT 'Why the query failed; empty if it succeeded',
    version      UInt64               COMMENT 'Time when the run ended, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (query_id, slot)   -- answers "the newest results of this query"
TTL toDateTime(run_at) + INTERVAL 90 DAY
SETTINGS index_granularity = 16
COMMENT 'The newest 100 results of each scheduled query, kept for at most 90 days. Written by the API';
