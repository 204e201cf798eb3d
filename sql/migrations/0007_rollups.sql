-- 0007_rollups
-- why:     everything that adds up, by closed bucket: chart figures by hour and day, balances and counters by era
-- replay:  safe; a bucket is computed from rows and gives the same rows each time
-- rebuild: rewind the *_through marks of chain_state, the pipeline computes the buckets again

CREATE TABLE stats_hourly
(
    bucket             DateTime('UTC') COMMENT 'Start of the hour, UTC',
    first_block        UInt64          COMMENT 'Lowest block of the hour',
    last_block         UInt64          COMMENT 'Highest block of the hour',
    block_count        UInt64          COMMENT 'Blocks',
    transaction_count  UInt64          COMMENT 'Transactions',
    failed_count       UInt64          COMMENT 'Transactions with status 0',
    creation_count     UInt64          COMMENT 'Contracts created by transactions',
    native_transfer_count UInt64       COMMENT 'Successful transactions with value above 0',
    native_value       UInt256         COMMENT 'Value of those, wei',
    log_count          UInt64          COMMENT 'Logs',
    token_transfer_count UInt64        COMMENT 'Token transfers, a batch item counts as one',
    gas_used           UInt64          COMMENT 'Gas used',
    gas_limit          UInt64          COMMENT 'Sum of block gas limits',
    fees               UInt256         COMMENT 'Transaction fees, wei',
    burned             UInt256         COMMENT 'Burned fees, wei',
    block_bytes        UInt64          COMMENT 'Sum of block sizes, bytes',
    sender_count       UInt64          COMMENT 'Distinct senders in the bucket; never to be added up'
)
ENGINE = ReplacingMergeTree
ORDER BY bucket   -- answers "series over hours"
COMMENT 'Figures by closed hour. Written by pipeline/store/rollups.ts';

CREATE TABLE stats_daily
(
    bucket             DateTime('UTC') COMMENT 'Start of the day, UTC',
    first_block        UInt64          COMMENT 'Lowest block of the day',
    last_block         UInt64          COMMENT 'Highest block of the day',
    block_count        UInt64          COMMENT 'Blocks',
    transaction_count  UInt64          COMMENT 'Transactions',
    failed_count       UInt64          COMMENT 'Transactions with status 0',
    creation_count     UInt64          COMMENT 'Contracts created by transactions',
    native_transfer_count UInt64       COMMENT 'Successful transactions with value above 0',
    native_value       UInt256         COMMENT 'Value of those, wei',
    log_count          UInt64          COMMENT 'Logs',
    token_transfer_count UInt64        COMMENT 'Token transfers, a batch item counts as one',
    gas_used           UInt64          COMMENT 'Gas used',
    gas_limit          UInt64          COMMENT 'Sum of block gas limits',
    fees               UInt256         COMMENT 'Transaction fees, wei',
    burned             UInt256         COMMENT 'Burned fees, wei',
    block_bytes        UInt64          COMMENT 'Sum of block sizes, bytes',
    sender_count       UInt64          COMMENT 'Distinct senders in the bucket; never to be added up'
)
ENGINE = ReplacingMergeTree
ORDER BY bucket   -- answers "series over days"
COMMENT 'Figures by closed day. Written by pipeline/store/rollups.ts';

CREATE TABLE token_balance_eras
(
    era            UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    token          FixedString(20) COMMENT 'Token contract',
    token_id       UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    holder         FixedString(20) COMMENT 'Owner; never the zero address',
    delta          Int256          COMMENT 'Received minus sent in the era, smallest unit; modulo 2^256 where a token lies',
    transfer_count UInt64          COMMENT 'Transfers in and out in the era'
)
ENGINE = ReplacingMergeTree
ORDER BY (token, token_id, holder, era)   -- answers "holders of this token"; by holder see holder_balance_eras
COMMENT 'Token balance changes by closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE holder_balance_eras
(
    era            UInt64          COMMENT 'As in token_balance_eras',
    token          FixedString(20) COMMENT 'Token contract',
    token_id       UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    holder         FixedString(20) COMMENT 'Owner',
    delta          Int256          COMMENT 'Received minus sent in the era, smallest unit',
    transfer_count UInt64          COMMENT 'Transfers in and out in the era'
)
ENGINE = ReplacingMergeTree
ORDER BY (holder, token, token_id, era)   -- answers "tokens of this holder"
COMMENT 'Token balance changes by holder. Written by holder_balance_eras__from_token_balance_eras_mv';

CREATE MATERIALIZED VIEW holder_balance_eras__from_token_balance_eras_mv TO holder_balance_eras AS
SELECT era, token, token_id, holder, delta, transfer_count
FROM token_balance_eras;

CREATE TABLE account_counter_eras
(
    era           UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    address       FixedString(20) COMMENT 'Account',
    transaction_count UInt64      COMMENT 'Transactions it took part in, any role',
    sent_count    UInt64          COMMENT 'Transactions it sent',
    received_count UInt64         COMMENT 'Transactions to it, creations included',
    log_count     UInt64          COMMENT 'Transactions in which it emitted a log',
    value_in      UInt256         COMMENT 'Value of successful transactions to it, wei',
    value_out     UInt256         COMMENT 'Value of successful transactions from it, wei',
    fees          UInt256         COMMENT 'Fees it paid, wei',
    first_block   UInt64          COMMENT 'First block in the era it appears in',
    last_block    UInt64          COMMENT 'Last block in the era it appears in',
    first_time    DateTime('UTC') COMMENT 'Time of first_block',
    last_time     DateTime('UTC') COMMENT 'Time of last_block'
)
ENGINE = ReplacingMergeTree
ORDER BY (address, era)   -- answers "figures of this account"
COMMENT 'Account figures by closed era. Written by pipeline/store/rollups.ts';
