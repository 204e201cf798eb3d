-- 0008_token_holders
-- why:     holders in the order of their balance, token counters, metadata of tokens, native balances
-- replay:  safe; rows of eras are computed from rows and come out the same, whatever is computed at once
-- rebuild: TRUNCATE token_holder_ranks, set era_through of chain_state to 0: the pipeline closes all eras again

CREATE TABLE token_holder_ranks
(
    token           FixedString(20) COMMENT 'Token contract',
    inverse_balance UInt256         COMMENT 'bitNot of the balance: ascending order is the richest first',
    holder          FixedString(20) COMMENT 'Owner; never the zero address',
    is_held         UInt8           COMMENT '1: the holder has this balance since the era; 0: it had it until the era',
    era             UInt64          COMMENT 'Era of the change; the highest one of a key counts'
)
ENGINE = ReplacingMergeTree(era)
ORDER BY (token, inverse_balance, holder)   -- answers "richest holders of this token"
SETTINGS index_granularity = 1024
COMMENT 'Balances above 0 over all token ids as of the last closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE token_counter_eras
(
    era            UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    token          FixedString(20) COMMENT 'Token contract',
    standard       Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the events counted',
    transfer_count UInt64          COMMENT 'Transfers in the era, a batch item counts as one',
    mint_count     UInt64          COMMENT 'Of them from the zero address',
    burn_count     UInt64          COMMENT 'Of them to the zero address',
    first_block    UInt64          COMMENT 'First block in the era with a transfer',
    last_block     UInt64          COMMENT 'Last block in the era with a transfer',
    first_time     DateTime('UTC') COMMENT 'Time of first_block'
)
ENGINE = ReplacingMergeTree
ORDER BY (token, standard, era)   -- answers "figures of this token"
COMMENT 'Token figures by closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE token_holder_count_eras
(
    era    UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    token  FixedString(20) COMMENT 'Token contract',
    gained UInt64          COMMENT 'Addresses that had nothing before the era and something after it',
    lost   UInt64          COMMENT 'Addresses that had something before the era and nothing after it'
)
ENGINE = ReplacingMergeTree
ORDER BY (token, era)   -- answers "how many holders has this token"
COMMENT 'Changes of the number of holders by closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE tokens
(
    address       FixedString(20)   COMMENT 'Token contract',
    standard      Enum8('unknown' = 0, 'erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'By its events, corrected by ERC-165',
    name          Nullable(String)  COMMENT 'name() as UTF-8; null when it fails or is not text',
    symbol        Nullable(String)  COMMENT 'symbol() as UTF-8; null when it fails or is not text',
    decimals      Nullable(UInt8)   COMMENT 'decimals(); null when it fails, never a default',
    total_supply  Nullable(UInt256) COMMENT 'totalSupply(), smallest unit; null when it fails',
    first_block   UInt64            COMMENT 'First block with a transfer',
    checked_block UInt64            COMMENT 'Block at which the contract was asked',
    version       UInt64            COMMENT 'Grows with every check, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY address   -- answers "what is this token called"
COMMENT 'Metadata of token contracts. Written by pipeline/jobs/token-metadata.ts';

CREATE TABLE account_balances
(
    address      FixedString(20) COMMENT 'Account',
    balance      UInt256         COMMENT 'Native balance, wei',
    block_number UInt64          COMMENT 'Final block of this balance; the highest counts'
)
ENGINE = ReplacingMergeTree(block_number)
ORDER BY address   -- answers "balance of this account as last read"; ranks are read whole
COMMENT 'Native balances of all known accounts. Written by pipeline/jobs/account-balances.ts';

CREATE TABLE job_marks
(
    job        String                COMMENT 'Name of the job',
    through    UInt64                COMMENT 'Block up to which its work is done, inclusive',
    version    UInt64                COMMENT 'Grows with every change, Unix milliseconds',
    written_at DateTime64(3, 'UTC')  COMMENT 'When this mark was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY job   -- answers "how far has this job come"
COMMENT 'How far jobs beside the main way have come. Written by pipeline/jobs';

-- eras that were closed before have no rows here: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toUInt64(0) AS era_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;

-- time windows are looked up as block windows
ALTER TABLE blocks ADD INDEX IF NOT EXISTS block_time timestamp TYPE minmax GRANULARITY 8;

ALTER TABLE blocks MATERIALIZE INDEX block_time;
