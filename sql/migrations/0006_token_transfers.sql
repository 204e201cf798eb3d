-- 0006_token_transfers
-- why:     transfers of tokens by token, and by address; decoded from logs
-- replay:  safe; keyed by place of the log and position in a batch
-- rebuild: TRUNCATE, then INSERT SELECT of the view's statement from logs

CREATE TABLE token_transfers
(
    final        UInt8           COMMENT 'As in logs',
    block_number UInt64          COMMENT 'Height of the block',
    log_index    UInt32          COMMENT 'Position of the log in the block',
    batch_index  UInt32          COMMENT 'Position in an ERC-1155 batch, else 0',
    tx_index     UInt32          COMMENT 'Position of the transaction',
    tx_hash      FixedString(32) COMMENT 'Transaction hash',
    timestamp    DateTime('UTC') COMMENT 'Time of the block',
    token        FixedString(20) COMMENT 'Token contract, emitter of the log',
    standard     Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the event',
    from         FixedString(20) COMMENT 'Owner before; zero for a mint',
    to           FixedString(20) COMMENT 'Owner after; zero for a burn',
    token_id     UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    value        UInt256         COMMENT 'Amount in the smallest unit; 1 for ERC-721'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (token, block_number, log_index, batch_index)   -- answers "transfers of this token"
COMMENT 'Token transfers by token. Written by token_transfers__from_logs_mv';

CREATE MATERIALIZED VIEW token_transfers__from_logs_mv TO token_transfers AS
{{token_transfers_of_logs(logs)}};

CREATE TABLE token_transfers_by_address
(
    final        UInt8           COMMENT 'As in logs',
    address      FixedString(20) COMMENT 'Owner before or after; the zero address has no rows',
    block_number UInt64          COMMENT 'Height of the block',
    log_index    UInt32          COMMENT 'Position of the log in the block',
    batch_index  UInt32          COMMENT 'Position in an ERC-1155 batch, else 0',
    direction    Enum8('out' = 1, 'in' = 2) COMMENT 'out: address is from; in: address is to',
    tx_index     UInt32          COMMENT 'Position of the transaction',
    tx_hash      FixedString(32) COMMENT 'Transaction hash',
    timestamp    DateTime('UTC') COMMENT 'Time of the block',
    token        FixedString(20) COMMENT 'Token contract',
    standard     Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the event',
    counterparty FixedString(20) COMMENT 'The other side',
    token_id     UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    value        UInt256         COMMENT 'Amount in the smallest unit; 1 for ERC-721'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (address, block_number, log_index, batch_index, direction)   -- answers "token transfers of this address"
COMMENT 'Token transfers by address. Written by token_transfers_by_address__from_token_transfers_mv';

CREATE MATERIALIZED VIEW token_transfers_by_address__from_token_transfers_mv TO token_transfers_by_address AS
SELECT
    final, side.1 AS address, block_number, log_index, batch_index,
    CAST(side.2, 'Enum8(\'out\' = 1, \'in\' = 2)') AS direction,
    tx_index, tx_hash, timestamp, token, standard, side.3 AS counterparty, token_id, value
FROM token_transfers
ARRAY JOIN [(from, 1, to), (to, 2, from)] AS side
WHERE side.1 != toFixedString('', 20);
