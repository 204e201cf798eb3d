-- 0013_semantic
-- why:     search of a wallet's history by meaning: events of wallets (knots), what kinds of events there are (shapes), and what those mean
-- replay:  safe; every table is keyed by content and keeps the newest version of its key
-- rebuild: knots from blocks, shapes from knots, texts and vectors from shapes

CREATE TABLE shapes
(
    shape_id            UInt64                 COMMENT 'xxHash64 of the fields below up to method, parted by U+001F: sql/fragments/shape_id.sql',
    kind                LowCardinality(String) COMMENT 'native_transfer, token_transfer, swap, contract_call and so on',
    direction           LowCardinality(String) COMMENT 'in, out or self, seen from the wallet',
    status              LowCardinality(String) COMMENT 'ok or failed',
    fail_reason         String                 COMMENT 'Why it failed; empty when it did not or nobody knows',
    token_symbol        String                 COMMENT 'Symbol of the token moved; the native coin for transactions',
    token_name          String                 COMMENT 'Its name',
    token_class         LowCardinality(String) COMMENT 'native coin, stablecoin, nft collection and so on; empty when unknown',
    second_token_symbol String                 COMMENT 'Symbol of what came back for it, as in a swap; empty when nothing did',
    second_token_name   String                 COMMENT 'Its name',
    second_token_class  LowCardinality(String) COMMENT 'Its class',
    label               String                 COMMENT 'Public label of the counterparty; empty when it has none',
    category            LowCardinality(String) COMMENT 'Category of that label',
    method              String                 COMMENT 'Method called, name without parameters or 0x selector; empty for a plain transfer',
    text                String                 COMMENT 'Fields above in words, and what they mean in plain English',
    terms               String                 COMMENT 'Stems of the words of the text, by blanks',
    text_version        UInt32                 COMMENT 'Version of the text; 0: not rendered yet'
)
ENGINE = ReplacingMergeTree(text_version)
ORDER BY shape_id   -- answers "what is this shape"
SETTINGS index_granularity = 1024
COMMENT 'Kinds of events without amount, date and id. Key shape_id. Written with the knots (version 0) and rendered by pipeline/jobs/embed-shapes.ts';

ALTER TABLE shapes ADD INDEX IF NOT EXISTS terms_index terms TYPE text(tokenizer = 'splitByNonAlpha');

CREATE TABLE shape_vectors
(
    embedder     LowCardinality(String) COMMENT 'Model and version; vectors of two are never compared',
    shape_id     UInt64                 COMMENT 'Shape',
    vector       Array(BFloat16)        COMMENT 'Of length 1; as many numbers as the embedder has dimensions',
    text_version UInt32                 COMMENT 'Version of the text it was made of'
)
ENGINE = ReplacingMergeTree(text_version)
ORDER BY (embedder, shape_id)   -- answers "which shapes are near this query" by a scan of one embedder's vectors
SETTINGS index_granularity = 256
COMMENT 'What shapes mean, as vectors. Written by pipeline/jobs/embed-shapes.ts';

CREATE TABLE knots
(
    wallet              FixedString(20)        COMMENT 'Whose history this event is part of',
    timestamp           DateTime('UTC')        COMMENT 'Time of the block',
    block_number        UInt64                 COMMENT 'Height',
    tx_index            UInt32                 COMMENT 'Position of the transaction in the block',
    log_index           Int32                  COMMENT 'Position of the log in the block; -1: the transaction itself',
    part                UInt16                 COMMENT 'Which of several tokens that one log moves, from 0',
    tx_hash             FixedString(32)        COMMENT 'Transaction hash',
    kind                LowCardinality(String) COMMENT 'As in the shape',
    direction           LowCardinality(String) COMMENT 'As in the shape',
    status              LowCardinality(String) COMMENT 'As in the shape',
    token               FixedString(20)        COMMENT 'Contract of the token; zeros: the native coin',
    token_symbol        LowCardinality(String) COMMENT 'As in the shape',
    token_class         LowCardinality(String) COMMENT 'As in the shape',
    amount              UInt256                COMMENT 'Amount in smallest units, exact; 1 for an ERC-721 token',
    decimals            UInt8                  COMMENT 'Smallest units are 10^-decimals of a token',
    amount_value        Float64                COMMENT 'Amount in whole tokens, for comparisons alone',
    second_token        FixedString(20)        COMMENT 'Contract of what came back; zeros: the native coin or nothing',
    second_token_symbol LowCardinality(String) COMMENT 'As in the shape',
    second_token_class  LowCardinality(String) COMMENT 'As in the shape',
    second_amount       UInt256                COMMENT 'Its amount in smallest units',
    second_decimals     UInt8                  COMMENT 'Its decimals',
    second_amount_value Float64                COMMENT 'Its amount in whole tokens, for comparisons alone',
    token_id            Nullable(UInt256)      COMMENT 'Id of an NFT',
    counterparty        FixedString(20)        COMMENT 'The other side; zeros: nobody',
    method_id           FixedString(4)         COMMENT 'Selector of the call; zeros for a plain transfer',
    method              LowCardinality(String) COMMENT 'As in the shape',
    fee                 UInt256                COMMENT 'What the transaction cost its sender, wei; 0 for others',
    usd                 Nullable(Float64)      COMMENT 'Value in US dollars then; null when there was no price',
    shape_id            UInt64                 COMMENT 'Shape of this event',
    version             UInt64                 COMMENT 'Grows with every rewriting of the row, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (wallet, timestamp, block_number, tx_index, log_index, part)   -- answers "what has happened to this wallet"
COMMENT 'Events by wallet, one row for each wallet that takes part. Written by the pipeline';

ALTER TABLE knots ADD INDEX IF NOT EXISTS tx_hash_index tx_hash TYPE bloom_filter GRANULARITY 4;

ALTER TABLE knots ADD INDEX IF NOT EXISTS counterparty_index counterparty TYPE bloom_filter GRANULARITY 4;

CREATE TABLE shape_knots
(
    shape_id     UInt64          COMMENT 'Shape',
    timestamp    DateTime('UTC') COMMENT 'Time of the block',
    wallet       FixedString(20) COMMENT 'Whose event it is',
    block_number UInt64          COMMENT 'Height',
    tx_index     UInt32          COMMENT 'Position of the transaction in the block',
    log_index    Int32           COMMENT 'Position of the log in the block; -1: the transaction itself',
    part         UInt16          COMMENT 'Which of several tokens of the log'
)
ENGINE = ReplacingMergeTree
ORDER BY (shape_id, timestamp, wallet, block_number, tx_index, log_index, part)   -- answers "whose events have this shape"
COMMENT 'Knots by shape, for searches over all wallets. A row whose knot is gone or has another shape by now is passed over';

CREATE MATERIALIZED VIEW shape_knots__from_knots_mv TO shape_knots AS
SELECT shape_id, timestamp, wallet, block_number, tx_index, log_index, part FROM knots;
