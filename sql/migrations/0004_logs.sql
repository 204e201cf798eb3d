-- 0004_logs
-- why:     event logs in chain order, and their second order by emitter and first topic
-- replay:  safe; keyed by place in the chain
-- rebuild: fetch again from the node; the second order by INSERT SELECT from logs

CREATE TABLE logs
(
    final        UInt8           COMMENT '1: settled and never touched again; 0: above the finalized height',
    block_number UInt64          COMMENT 'Height of its block',
    log_index    UInt32          COMMENT 'Position in the block',
    tx_index     UInt32          COMMENT 'Position of its transaction',
    tx_hash      FixedString(32) COMMENT 'Its transaction',
    timestamp    DateTime('UTC') COMMENT 'Time of its block',
    address      FixedString(20) COMMENT 'Emitter',
    topic_count  UInt8           COMMENT 'Topics present, 0 to 4',
    topic0       FixedString(32) COMMENT 'First topic; zero bytes when absent',
    topic1       FixedString(32) COMMENT 'Second topic; zero bytes when absent',
    topic2       FixedString(32) COMMENT 'Third topic; zero bytes when absent',
    topic3       FixedString(32) COMMENT 'Fourth topic; zero bytes when absent',
    data         String          COMMENT 'Data, raw bytes'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (block_number, log_index)   -- answers "logs of a block or a transaction"; by emitter see logs_by_address
COMMENT 'Event logs. Written by pipeline/store';

CREATE TABLE logs_by_address
(
    final        UInt8           COMMENT 'As in logs',
    address      FixedString(20) COMMENT 'Emitter',
    topic0       FixedString(32) COMMENT 'First topic; zero bytes when absent',
    block_number UInt64          COMMENT 'Height of its block',
    log_index    UInt32          COMMENT 'Position in the block',
    topic1       FixedString(32) COMMENT 'Second topic; zero bytes when absent',
    topic2       FixedString(32) COMMENT 'Third topic; zero bytes when absent',
    topic3       FixedString(32) COMMENT 'Fourth topic; zero bytes when absent'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (address, topic0, block_number, log_index)   -- answers "logs of this emitter and event in a window"
COMMENT 'Places of logs by emitter. Written by logs_by_address__from_logs_mv; data is read from logs';

CREATE MATERIALIZED VIEW logs_by_address__from_logs_mv TO logs_by_address AS
SELECT final, address, topic0, block_number, log_index, topic1, topic2, topic3
FROM logs;
