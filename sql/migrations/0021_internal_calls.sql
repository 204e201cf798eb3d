-- 0021_internal_calls
-- why:     what transactions do to the coin within themselves, where TRACES is on: in chain order and by address; which blocks were traced
-- replay:  safe; keyed by place in the chain, journal rows by their bounds
-- rebuild: trace again; the second order by INSERT SELECT from internal_calls

CREATE TABLE internal_calls
(
    final        UInt8                     COMMENT '1: settled and never touched again; 0: above the finalized height',
    block_number UInt64                    COMMENT 'Height of the block',
    tx_index     UInt32                    COMMENT 'Position of the transaction in the block',
    call_index   UInt32                    COMMENT 'Position among the rows of its transaction, in the order of execution',
    tx_hash      FixedString(32)           COMMENT 'Transaction hash',
    block_hash   FixedString(32)           COMMENT 'Hash of the block',
    timestamp    DateTime('UTC')           COMMENT 'Time of the block',
    type         Enum8('call' = 1, 'create' = 2, 'create2' = 3, 'selfdestruct' = 4) COMMENT 'call and selfdestruct carry value; create and create2 are kept without value too',
    from         FixedString(20)           COMMENT 'Contract that calls, makes or ends',
    to           Nullable(FixedString(20)) COMMENT 'Recipient, contract made, or heir; null for a contract that did not come to be',
    value        UInt256                   COMMENT 'Value, wei',
    gas          UInt64                    COMMENT 'Gas given to the call',
    gas_used     UInt64                    COMMENT 'Gas it used',
    trace_id     String                    COMMENT 'Position of each call among those of the call around it, from the outermost in: 0_2_1; nodes differ over calls of precompiles',
    error        String                    COMMENT 'Why it came to nothing: its own fault or that of a call around it; empty where value moved'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (block_number, tx_index, call_index)   -- answers "internal calls of a block or a transaction"; by address see internal_calls_by_address
SETTINGS index_granularity = 1024
COMMENT 'Calls within transactions that carry value or make a contract. Written by pipeline/store and pipeline/traces';

CREATE TABLE internal_calls_by_address
(
    final        UInt8                     COMMENT 'As in internal_calls',
    address      FixedString(20)           COMMENT 'Caller or recipient; one row for a call to itself',
    block_number UInt64                    COMMENT 'Height of the block',
    tx_index     UInt32                    COMMENT 'Position of the transaction in the block',
    call_index   UInt32                    COMMENT 'Position among the rows of its transaction, in the order of execution',
    tx_hash      FixedString(32)           COMMENT 'Transaction hash',
    timestamp    DateTime('UTC')           COMMENT 'Time of the block',
    type         Enum8('call' = 1, 'create' = 2, 'create2' = 3, 'selfdestruct' = 4) COMMENT 'As in internal_calls',
    from         FixedString(20)           COMMENT 'Contract that calls, makes or ends',
    to           Nullable(FixedString(20)) COMMENT 'Recipient, contract made, or heir',
    value        UInt256                   COMMENT 'Value, wei',
    gas          UInt64                    COMMENT 'Gas given to the call',
    gas_used     UInt64                    COMMENT 'Gas it used',
    trace_id     String                    COMMENT 'As in internal_calls',
    error        String                    COMMENT 'As in internal_calls'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (address, block_number, tx_index, call_index)   -- answers "internal calls from or to this address"
SETTINGS index_granularity = 1024
COMMENT 'Internal calls by address. Written by internal_calls_by_address__from_internal_calls_mv';

CREATE MATERIALIZED VIEW internal_calls_by_address__from_internal_calls_mv TO internal_calls_by_address AS
SELECT
    final, arrayJoin(arrayDistinct([from, ifNull(to, from)])) AS address, block_number, tx_index, call_index, tx_hash, timestamp,
    type, from, to, value, gas, gas_used, trace_id, error
FROM internal_calls;

CREATE TABLE block_traces
(
    final             UInt8           COMMENT 'As in internal_calls',
    block_number      UInt64          COMMENT 'Height of the block',
    block_hash        FixedString(32) COMMENT 'Hash of the block that was traced',
    transaction_count UInt32          COMMENT 'Transactions of the block, each of which was traced',
    call_count        UInt32          COMMENT 'Rows of internal_calls of the block'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY block_number   -- answers "was this block traced, and how many rows must it have"
COMMENT 'One row a traced block. Written by pipeline/store with the block, or by pipeline/traces later';

CREATE TABLE traced_ranges
(
    from_block UInt64  COMMENT 'First block of the range, inclusive',
    to_block   UInt64  COMMENT 'Last block of the range, inclusive',
    state      Enum8('done' = 1, 'void' = 2) COMMENT 'done: settled, and all its traces are stored; void: not any more, or told by another range',
    version    UInt64  COMMENT 'Grows with every change of the range',
    written_at DateTime64(3, 'UTC') COMMENT 'When this state was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (from_block, to_block)   -- answers "which settled blocks are traced"
COMMENT 'Journal of traces, beside range_journal. Written by pipeline/traces/traced-ranges.ts after the rows it speaks of';
