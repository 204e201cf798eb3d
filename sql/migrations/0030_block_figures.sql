-- 0030_block_figures
-- why:     what a block adds to every figure over time is worked out once, when the block is encoded; buckets are sums over these rows
-- replay:  safe; keyed by block
-- rebuild: cordscan rederive block_figures; the pipeline makes rows that are missing before it closes their buckets

CREATE TABLE block_figures
(
    final                 UInt8           COMMENT 'As in blocks',
    block_number          UInt64          COMMENT 'Height of the block',
    timestamp             DateTime('UTC') COMMENT 'Time of the block',
    block_count           UInt64          COMMENT '1',
    empty_block_count     UInt64          COMMENT '1 of a block without a transaction',
    gas_used              UInt64          COMMENT 'Gas used',
    gas_limit             UInt64          COMMENT 'Gas limit',
    fees                  UInt256         COMMENT 'Transaction fees, wei',
    burned                UInt256         COMMENT 'Burned fees, wei',
    block_bytes           UInt64          COMMENT 'Size, bytes',
    log_count             UInt64          COMMENT 'Logs',
    transaction_count     UInt64          COMMENT 'Transactions',
    failed_count          UInt64          COMMENT 'Transactions with status 0',
    failed_gas_used       UInt64          COMMENT 'Gas they used',
    failed_fees           UInt256         COMMENT 'Fees they paid, wei',
    creation_count        UInt64          COMMENT 'Contracts created by transactions',
    call_count            UInt64          COMMENT 'Transactions with call data of 4 bytes or more to an address',
    plain_count           UInt64          COMMENT 'Transactions without call data to an address',
    authorization_count   UInt64          COMMENT 'EIP-7702 authorizations carried',
    native_transfer_count UInt64          COMMENT 'Successful transactions with value above 0',
    native_value          UInt256         COMMENT 'Value of those, wei',
    gas_price_sum         UInt256         COMMENT 'Sum of effective gas prices, wei',
    token_transfer_count  UInt64          COMMENT 'Token transfers, a batch item counts as one',
    erc20_transfer_count  UInt64          COMMENT 'Of them of TOKEN-20 tokens',
    user_op_count         UInt64          COMMENT 'ERC-4337 user operations, by their event',
    value_samples         Array(UInt256)  COMMENT 'Value of each successful transaction with value above 0, wei',
    gas_price_samples     Array(UInt256)  COMMENT 'Effective gas price of each transaction, wei',
    fee_samples           Array(UInt256)  COMMENT 'Fee of each transaction, wei',
    actor_kinds           Array(Enum8('sender' = 1, 'address' = 2, 'builder' = 3, 'token_sender' = 4, 'wallet' = 5, 'paymaster' = 6, 'bundler' = 7)) COMMENT 'Which part was taken, by the address at the same place of actors',
    actors                Array(FixedString(20)) COMMENT 'Who took a part; one entry a part and address'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY block_number   -- answers "what these blocks add"
COMMENT 'What each block adds to figures over time. Written by pipeline/encode/block-figures.ts';
