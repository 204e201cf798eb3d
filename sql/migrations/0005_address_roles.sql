-- 0005_address_roles
-- why:     history of an address in one read of its key
-- replay:  safe; one row an address and transaction
-- rebuild: fetch again from the node

CREATE TABLE address_roles
(
    final            UInt8                     COMMENT '1: settled and never touched again; 0: above the finalized height',
    address          FixedString(20)           COMMENT 'Address that took part',
    block_number     UInt64                    COMMENT 'Height of the block',
    tx_index         UInt32                    COMMENT 'Position of the transaction in the block',
    role             Enum8('from' = 1, 'to' = 2, 'log' = 3) COMMENT 'Strongest role: from before to before log; a created contract is to',
    roles            UInt8                     COMMENT 'All roles: bit 0 from, bit 1 to, bit 2 log',
    tx_hash          FixedString(32)           COMMENT 'Transaction hash',
    block_hash       FixedString(32)           COMMENT 'Hash of the block',
    timestamp        DateTime('UTC')           COMMENT 'Time of the block',
    type             UInt8                     COMMENT 'EIP-2718 type',
    from             FixedString(20)           COMMENT 'Sender',
    to               Nullable(FixedString(20)) COMMENT 'Recipient; null for a contract creation',
    contract_address Nullable(FixedString(20)) COMMENT 'Contract created',
    value            UInt256                   COMMENT 'Value, wei',
    nonce            UInt64                    COMMENT 'Nonce of the sender',
    gas_limit        UInt64                    COMMENT 'Gas limit of the transaction',
    gas_used         UInt64                    COMMENT 'Gas used',
    gas_price        UInt256                   COMMENT 'Effective gas price, wei',
    fee              UInt256                   COMMENT 'Fee, wei',
    status           Nullable(UInt8)           COMMENT '1 success, 0 failure; null before Byzantium',
    method_id        String                    COMMENT 'First 4 bytes of the call data; empty when there are fewer'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (address, block_number, tx_index)   -- answers "history of this address"; nothing else
SETTINGS index_granularity = 1024
COMMENT 'Who took part in which transaction. Written by pipeline/store';
