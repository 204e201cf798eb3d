-- 0001_chain_state
-- why:     what is stored, what readers may see, and what is under way; written by the pipeline alone
-- replay:  safe; every table keeps the row with the highest version of its key
-- rebuild: not derivable; the journal is the truth about what was inserted

CREATE TABLE chain_identity
(
    key          UInt8          COMMENT 'Always 0: one chain a database',
    chain_id     UInt64         COMMENT 'eth_chainId of the chain that is stored here',
    genesis_hash FixedString(32) COMMENT 'Hash of block 0'
)
ENGINE = ReplacingMergeTree
ORDER BY key   -- answers "which chain is this"
COMMENT 'Identity of the stored chain. Written once by the pipeline at its first start';

CREATE TABLE chain_state
(
    key               UInt8           COMMENT 'Always 0: one state a database',
    version           UInt64          COMMENT 'Grows with every change; the highest version is the state',
    start_block       UInt64          COMMENT 'First block that is to be indexed',
    backfilled_before UInt64          COMMENT 'Final blocks from start_block up to this one, exclusive, are complete',
    follow_from       UInt64          COMMENT 'Final blocks from this one up to finalized are complete',
    finalized         UInt64          COMMENT 'Highest final block that is complete; never goes down but by rewind',
    head              UInt64          COMMENT 'Highest complete block; at or above finalized',
    head_hash         FixedString(32) COMMENT 'Hash of block head',
    chain_head        UInt64          COMMENT 'Highest block that the node announced',
    dropped_through   UInt64          COMMENT 'Rows with final = 0 up to this block may be gone',
    parked            Array(UInt64)   COMMENT 'Blocks below backfilled_before that are missing: no endpoint could serve them',
    epoch             UInt64          COMMENT 'Grows with every reorg and rewind, before rows are removed',
    era_through       UInt64          COMMENT 'Rollups by era are closed for blocks below this one, exclusive',
    hour_through      DateTime('UTC') COMMENT 'Hourly rollups are closed before this time, exclusive',
    day_through       DateTime('UTC') COMMENT 'Daily rollups are closed before this time, exclusive',
    updated_at        DateTime64(3, 'UTC') COMMENT 'When this state was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY key   -- answers "what may a reader see now"
COMMENT 'What readers may see. Written by pipeline/store/chain-state.ts after the rows it speaks of';

CREATE TABLE range_journal
(
    from_block        UInt64          COMMENT 'First block of the range, inclusive',
    to_block          UInt64          COMMENT 'Last block of the range, inclusive',
    state             Enum8('started' = 1, 'done' = 2, 'void' = 3) COMMENT 'started before the first insert, done after the last; void after a rewind',
    transaction_count UInt64          COMMENT 'Transactions inserted',
    log_count         UInt64          COMMENT 'Logs inserted',
    role_count        UInt64          COMMENT 'Address-role rows inserted',
    gas_used          UInt64          COMMENT 'Sum of gas used over the blocks',
    parent_hash       FixedString(32) COMMENT 'Parent hash of the first block',
    last_hash         FixedString(32) COMMENT 'Hash of the last block',
    version           UInt64          COMMENT 'Grows with every change of the range',
    written_at        DateTime64(3, 'UTC') COMMENT 'When this state was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (from_block, to_block)   -- answers "which blocks are stored as final"
COMMENT 'Journal of final ranges. Written by pipeline/store/journal.ts around every insert of a range';

CREATE TABLE parked_blocks
(
    block_number UInt64        COMMENT 'Block that no endpoint could serve soundly',
    reason       String        COMMENT 'Last fault in words',
    attempts     UInt32        COMMENT 'Times it was tried',
    resolved     UInt8         COMMENT '1 once it was stored after all',
    version      UInt64        COMMENT 'Grows with every change',
    written_at   DateTime64(3, 'UTC') COMMENT 'When this row was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY block_number   -- answers "what is missing and why"
COMMENT 'Blocks set aside with their reason. Written by the backfill; read by /status';

CREATE TABLE reorgs
(
    detected_at DateTime64(3, 'UTC')      COMMENT 'When the follower saw it',
    fork_block  UInt64                    COMMENT 'Last block that both branches share',
    depth       UInt32                    COMMENT 'Blocks that were removed',
    removed     Array(FixedString(32))    COMMENT 'Hashes of the removed blocks, lowest first',
    added       Array(FixedString(32))    COMMENT 'Hashes of the new branch at that time, lowest first; may be shorter or empty'
)
ENGINE = MergeTree
ORDER BY (detected_at, fork_block)   -- answers "which reorgs were there since"
COMMENT 'Every reorganisation that was followed. Written by pipeline/follow';

CREATE TABLE audits
(
    audited_at  DateTime64(3, 'UTC') COMMENT 'When the window was compared with the node',
    from_block  UInt64               COMMENT 'First block of the window, inclusive',
    to_block    UInt64               COMMENT 'Last block of the window, inclusive',
    differences UInt32               COMMENT 'Rows that differed; the window was then stored anew',
    detail      String               COMMENT 'First difference in words; empty when there was none'
)
ENGINE = MergeTree
ORDER BY audited_at   -- answers "what has the auditor found lately"
COMMENT 'Windows that the auditor compared with the node. Written by pipeline/jobs/audit.ts';
