-- 0003_transactions
-- why:     a transaction and its receipt in one row; look-up by hash; contracts created by transactions
-- replay:  safe; keyed by place in the chain
-- rebuild: fetch again from the node; views by INSERT SELECT from transactions

CREATE TABLE transactions
(
    final                    UInt8                     COMMENT '1: settled and never touched again; 0: above the finalized height',
    block_number             UInt64                    COMMENT 'Height of its block',
    tx_index                 UInt32                    COMMENT 'Position in the block',
    hash                     FixedString(32)           COMMENT 'Transaction hash',
    block_hash               FixedString(32)           COMMENT 'Hash of its block',
    timestamp                DateTime('UTC')           COMMENT 'Time of its block',
    type                     UInt8                     COMMENT 'EIP-2718 type: 0 legacy, 1, 2, 3 blob, 4 set code',
    from                     FixedString(20)           COMMENT 'Sender',
    to                       Nullable(FixedString(20)) COMMENT 'Recipient; null for a contract creation',
    contract_address         Nullable(FixedString(20)) COMMENT 'Contract created, receipt field contractAddress',
    value                    UInt256                   COMMENT 'Value, wei',
    nonce                    UInt64                    COMMENT 'Nonce of the sender',
    gas_limit                UInt64                    COMMENT 'Gas limit of the transaction',
    gas_price                UInt256                   COMMENT 'Effective gas price, wei',
    max_fee_per_gas          Nullable(UInt256)         COMMENT 'EIP-1559 fee cap, wei',
    max_priority_fee_per_gas Nullable(UInt256)         COMMENT 'EIP-1559 tip cap, wei',
    max_fee_per_blob_gas     Nullable(UInt256)         COMMENT 'EIP-4844 blob fee cap, wei',
    blob_gas_used            Nullable(UInt64)          COMMENT 'Blob gas used',
    blob_gas_price           Nullable(UInt256)         COMMENT 'Blob gas price, wei',
    blob_count               UInt16                    COMMENT 'Blob hashes carried',
    authorization_count      UInt16                    COMMENT 'EIP-7702 authorizations carried',
    input                    String                    COMMENT 'Call data, raw bytes',
    status                   Nullable(UInt8)           COMMENT '1 success, 0 failure; null before Byzantium',
    gas_used                 UInt64                    COMMENT 'Gas used by this transaction',
    cumulative_gas_used      UInt64                    COMMENT 'Gas used in the block up to and with this transaction',
    fee                      UInt256                   COMMENT 'Gas used times effective price plus blob fee, wei',
    log_count                UInt32                    COMMENT 'Logs emitted'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (block_number, tx_index)   -- answers "transactions of a block" and lists; by address see address_roles
SETTINGS index_granularity = 256   -- compatible lists read scattered transactions of an address
COMMENT 'Transactions with their receipts. Written by pipeline/store';

CREATE TABLE transaction_hashes
(
    final        UInt8          COMMENT 'As in transactions',
    hash_prefix  FixedString(8) COMMENT 'First 8 bytes of the transaction hash',
    block_number UInt64         COMMENT 'Height of its block',
    tx_index     UInt32         COMMENT 'Position in the block; the caller compares the whole hash'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (hash_prefix, block_number, tx_index)   -- answers "where may this transaction be"
COMMENT 'Look-up from transaction hash to place. Written by transaction_hashes__from_transactions_mv';

CREATE MATERIALIZED VIEW transaction_hashes__from_transactions_mv TO transaction_hashes AS
SELECT final, toFixedString(substring(hash, 1, 8), 8) AS hash_prefix, block_number, tx_index
FROM transactions;

CREATE TABLE contract_creations
(
    final        UInt8           COMMENT 'As in transactions',
    address      FixedString(20) COMMENT 'Contract',
    block_number UInt64          COMMENT 'Height of the creation',
    tx_index     UInt32          COMMENT 'Position of the creating transaction',
    tx_hash      FixedString(32) COMMENT 'Creating transaction',
    creator      FixedString(20) COMMENT 'Its sender',
    timestamp    DateTime('UTC') COMMENT 'Time of the block'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (address, block_number, tx_index)   -- answers "who created this contract and when"
COMMENT 'Contracts created by transactions, not by other contracts. Written by contract_creations__from_transactions_mv';

CREATE MATERIALIZED VIEW contract_creations__from_transactions_mv TO contract_creations AS
SELECT final, assumeNotNull(contract_address) AS address, block_number, tx_index, hash AS tx_hash, from AS creator, timestamp
FROM transactions
WHERE contract_address IS NOT NULL AND ifNull(status, 1) = 1;
