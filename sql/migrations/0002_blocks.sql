-- 0002_blocks
-- why:     block headers with counts and fees, and the look-up from hash to number
-- replay:  safe; keyed by number, a block stored twice merges to one row
-- rebuild: fetch again from the node

CREATE TABLE blocks
(
    final                    UInt8                     COMMENT '1: settled and never touched again; 0: above the finalized height',
    block_number             UInt64                    COMMENT 'Height',
    hash                     FixedString(32)           COMMENT 'Block hash',
    parent_hash              FixedString(32)           COMMENT 'Hash of the block before',
    timestamp                DateTime('UTC')           COMMENT 'Time in the header',
    miner                    FixedString(20)           COMMENT 'Producer, header field miner',
    gas_limit                UInt64                    COMMENT 'Gas limit',
    gas_used                 UInt64                    COMMENT 'Gas used',
    base_fee_per_gas         Nullable(UInt256)         COMMENT 'Base fee, wei; null before London',
    difficulty               UInt256                   COMMENT 'Difficulty',
    size                     UInt64                    COMMENT 'Size, bytes, as the node says',
    extra_data               String                    COMMENT 'Header field extraData, raw bytes',
    nonce                    FixedString(8)            COMMENT 'Header nonce',
    mix_hash                 FixedString(32)           COMMENT 'Header field mixHash (prevRandao)',
    state_root               FixedString(32)           COMMENT 'State root',
    transactions_root        FixedString(32)           COMMENT 'Root of the transaction trie',
    receipts_root            FixedString(32)           COMMENT 'Root of the receipt trie',
    sha3_uncles              FixedString(32)           COMMENT 'Hash of the uncle list',
    withdrawals_root         Nullable(FixedString(32)) COMMENT 'Root of the withdrawals; null before Shanghai',
    parent_beacon_block_root Nullable(FixedString(32)) COMMENT 'Beacon root; null before Cancun',
    blob_gas_used            Nullable(UInt64)          COMMENT 'Blob gas used; null before Cancun',
    excess_blob_gas          Nullable(UInt64)          COMMENT 'Excess blob gas; null before Cancun',
    uncle_count              UInt16                    COMMENT 'Uncles',
    withdrawal_count         UInt16                    COMMENT 'Withdrawals',
    transaction_count        UInt32                    COMMENT 'Transactions in the block',
    log_count                UInt32                    COMMENT 'Logs in the block',
    fees                     UInt256                   COMMENT 'Sum of transaction fees, wei',
    burned                   UInt256                   COMMENT 'Base fee times gas used plus blob fees, wei'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))   -- 10 million final blocks; each unsettled block alone
ORDER BY block_number   -- answers "blocks by height"; by hash see block_hashes
SETTINGS index_granularity = 256   -- pages look up hashes of scattered heights
COMMENT 'Block headers. Written by pipeline/store';

CREATE TABLE block_hashes
(
    final        UInt8           COMMENT 'As in blocks',
    hash_prefix  FixedString(8)  COMMENT 'First 8 bytes of the block hash',
    block_number UInt64          COMMENT 'Height; the caller compares the whole hash'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (hash_prefix, block_number)   -- answers "at which height may this hash be"
COMMENT 'Look-up from block hash to height. Written by block_hashes__from_blocks_mv';

CREATE MATERIALIZED VIEW block_hashes__from_blocks_mv TO block_hashes AS
SELECT final, toFixedString(substring(hash, 1, 8), 8) AS hash_prefix, block_number
FROM blocks;
