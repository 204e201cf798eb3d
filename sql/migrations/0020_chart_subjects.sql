-- 0020_chart_subjects
-- why:     charts of one validator, method, token or account, and of senders who come back or stay away, from closed buckets
-- replay:  safe; a bucket is computed from rows, or from closed eras and days, and gives the same rows each time
-- rebuild: TRUNCATE all three, set hour_through and day_through of chain_state to 0

CREATE TABLE subject_buckets
(
    resolution Enum8('5min' = 1, 'hour' = 2, 'day' = 3, 'week' = 4, 'month' = 5, 'year' = 6) COMMENT 'As in chart_buckets; the last three are added up from days',
    measure    Enum8('validator_blocks' = 1, 'method_transactions' = 2, 'token_transfers' = 3, 'token_holders' = 4, 'received_value' = 5) COMMENT 'What is measured: see close_subjects and close_token_holders; received_value has no 5min',
    subject    FixedString(20) COMMENT 'Producer, token or recipient; a method id in its first 4 bytes',
    bucket     DateTime('UTC') COMMENT 'Start of the bucket, UTC',
    amount     Int256          COMMENT 'Blocks, transactions, transfers, net change of holders, wei; adds up over buckets'
)
ENGINE = ReplacingMergeTree
ORDER BY (measure, resolution, subject, bucket)   -- answers "series of this subject"
COMMENT 'Figures of one subject by closed bucket. Written by pipeline/store/rollups.ts';

CREATE TABLE sender_returns
(
    day          DateTime('UTC') COMMENT 'Day on which they sent, UTC',
    previous_day DateTime('UTC') COMMENT 'Last day before on which they had; 1970 for their first day',
    was_new      UInt8           COMMENT '1: that day was their first',
    sender_count UInt64          COMMENT 'Senders of whom this holds; each counts once a day on which it sent'
)
ENGINE = ReplacingMergeTree
ORDER BY (day, previous_day, was_new)   -- answers "who of these days had been there when"
COMMENT 'Returns of senders by closed day: recurring, churned and retained accounts of any window add up from here. Written by pipeline/store/rollups.ts';

CREATE TABLE sender_last_days
(
    address           FixedString(20) COMMENT 'Sender',
    first_day         DateTime('UTC') COMMENT 'First day on which it sent, UTC',
    last_day          DateTime('UTC') COMMENT 'Last closed day on which it sent',
    day_before_window DateTime('UTC') COMMENT 'The last one before window_day; 1970 when there was none',
    window_day        DateTime('UTC') COMMENT 'First day of the window that wrote this row: who computes that window again, or reads below it, takes day_before_window'
)
ENGINE = ReplacingMergeTree(window_day)
ORDER BY address   -- answers "when was this sender here last"
COMMENT 'Last day of every sender. Written by pipeline/store/rollups.ts';

-- buckets that were closed before have no rows here: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toDateTime(0, 'UTC') AS hour_through, toDateTime(0, 'UTC') AS day_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;
