-- 0009_charts
-- why:     every chart at every resolution from closed buckets: figures of blocks, transactions and logs, and of who took part
-- replay:  safe; a bucket is computed from rows, or from closed days, and gives the same rows each time
-- rebuild: TRUNCATE actor_firsts and actor_days, set hour_through and day_through of chain_state to 0

CREATE TABLE chart_buckets
(
    resolution         Enum8('5min' = 1, 'hour' = 2, 'day' = 3, 'week' = 4, 'month' = 5, 'year' = 6) COMMENT 'Length of the bucket; weeks begin on Monday',
    bucket             DateTime('UTC') COMMENT 'Start of the bucket, UTC',
    first_block        UInt64          COMMENT 'Lowest block',
    last_block         UInt64          COMMENT 'Highest block',
    block_count        UInt64          COMMENT 'Blocks',
    empty_block_count  UInt64          COMMENT 'Blocks without a transaction',
    gas_used           UInt64          COMMENT 'Gas used',
    gas_limit          UInt64          COMMENT 'Sum of block gas limits',
    fees               UInt256         COMMENT 'Transaction fees, wei',
    burned             UInt256         COMMENT 'Burned fees, wei',
    block_bytes        UInt64          COMMENT 'Sum of block sizes, bytes',
    log_count          UInt64          COMMENT 'Logs',
    interval_count     UInt64          COMMENT 'Blocks of which the block before is known',
    interval_seconds   UInt64          COMMENT 'Sum of their times since the block before, seconds',
    interval_max       UInt64          COMMENT 'Longest of these times, seconds',
    interval_p95       Nullable(UInt64) COMMENT 'Value at rank 95 of 100 of these times, seconds; null from week on',
    peak_tps_milli     UInt64          COMMENT 'Most transactions per second in one block, thousandths; a block lasts at least a second',
    transaction_count  UInt64          COMMENT 'Transactions',
    failed_count       UInt64          COMMENT 'Transactions with status 0',
    failed_gas_used    UInt64          COMMENT 'Gas they used',
    failed_fees        UInt256         COMMENT 'Fees they paid, wei',
    creation_count     UInt64          COMMENT 'Contracts created by transactions',
    call_count         UInt64          COMMENT 'Transactions with call data of 4 bytes or more to an address',
    plain_count        UInt64          COMMENT 'Transactions without call data to an address',
    authorization_count UInt64         COMMENT 'EIP-7702 authorizations carried',
    native_transfer_count UInt64       COMMENT 'Successful transactions with value above 0',
    native_value       UInt256         COMMENT 'Value of those, wei',
    value_p50          Nullable(UInt256) COMMENT 'Median of those values, wei; null from week on and where there are none',
    value_p99          Nullable(UInt256) COMMENT 'Value at rank 99 of 100, wei',
    gas_price_sum      UInt256         COMMENT 'Sum of effective gas prices, wei',
    gas_price_min      Nullable(UInt256) COMMENT 'Lowest effective gas price, wei; null without transactions',
    gas_price_max      Nullable(UInt256) COMMENT 'Highest effective gas price, wei',
    gas_price_p50      Nullable(UInt256) COMMENT 'Median of effective gas prices, wei; null from week on',
    gas_price_p90      Nullable(UInt256) COMMENT 'Value at rank 90 of 100, wei',
    gas_price_p99      Nullable(UInt256) COMMENT 'Value at rank 99 of 100, wei',
    fee_p50            Nullable(UInt256) COMMENT 'Median of fees, wei; null from week on',
    fee_p90            Nullable(UInt256) COMMENT 'Value at rank 90 of 100, wei',
    fee_p99            Nullable(UInt256) COMMENT 'Value at rank 99 of 100, wei',
    token_transfer_count UInt64        COMMENT 'Token transfers, a batch item counts as one',
    erc20_transfer_count UInt64        COMMENT 'Of them of TOKEN-20 tokens',
    user_op_count      UInt64          COMMENT 'ERC-4337 user operations, by their event'
)
ENGINE = ReplacingMergeTree
ORDER BY (resolution, bucket)   -- answers "series at this resolution"
COMMENT 'Figures by closed bucket. Written by pipeline/store/rollups.ts';

CREATE TABLE actor_firsts
(
    kind        Enum8('sender' = 1, 'address' = 2, 'builder' = 3, 'token_sender' = 4, 'wallet' = 5, 'paymaster' = 6, 'bundler' = 7) COMMENT 'What the address did: see fragment actor_rows',
    address     FixedString(20) COMMENT 'Who',
    first_block UInt64          COMMENT 'Block in which it did so first',
    first_time  DateTime('UTC') COMMENT 'Time of that block'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(first_time)   -- months: new ones are counted by time
ORDER BY (kind, address)   -- answers "was this address there before"
COMMENT 'First appearance of every address in each kind of part. Written by pipeline/store/rollups.ts';

CREATE TABLE actor_days
(
    day     DateTime('UTC') COMMENT 'Start of the day, UTC',
    kind    Enum8('sender' = 1, 'address' = 2, 'builder' = 3, 'token_sender' = 4, 'wallet' = 5, 'paymaster' = 6, 'bundler' = 7) COMMENT 'As in actor_firsts',
    address FixedString(20) COMMENT 'Who'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (kind, day, address)   -- answers "who took part between these days"
COMMENT 'Who took part in which day; distinct over weeks, months and years comes from here. Written by pipeline/store/rollups.ts';

CREATE TABLE actor_buckets
(
    resolution   Enum8('5min' = 1, 'hour' = 2, 'day' = 3, 'week' = 4, 'month' = 5, 'year' = 6) COMMENT 'As in chart_buckets',
    bucket       DateTime('UTC') COMMENT 'Start of the bucket, UTC',
    kind         Enum8('sender' = 1, 'address' = 2, 'builder' = 3, 'token_sender' = 4, 'wallet' = 5, 'paymaster' = 6, 'bundler' = 7) COMMENT 'As in actor_firsts',
    active_count UInt64          COMMENT 'Distinct addresses in the bucket; never to be added up',
    new_count    UInt64          COMMENT 'Of them in the bucket for the first time; adds up'
)
ENGINE = ReplacingMergeTree
ORDER BY (resolution, kind, bucket)   -- answers "series at this resolution"
COMMENT 'How many took part by closed bucket. Written by pipeline/store/rollups.ts';

DROP TABLE IF EXISTS stats_hourly;

DROP TABLE IF EXISTS stats_daily;

-- buckets that were closed before have no rows here: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toDateTime(0, 'UTC') AS hour_through, toDateTime(0, 'UTC') AS day_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;
