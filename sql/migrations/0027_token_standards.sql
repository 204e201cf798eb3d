-- 0027_token_standards
-- why:     a contract may emit TOKEN-20 and NFT transfers: units and ids don't add up; amounts from 2^255 on were summed as negative
-- replay:  safe; rows of eras are computed from rows and come out the same, whatever is computed at once
-- rebuild: TRUNCATE these tables, set era_through of chain_state to 0: the pipeline closes all eras again

DROP TABLE IF EXISTS holder_balance_eras__from_token_balance_eras_mv SYNC;

DROP TABLE IF EXISTS token_balance_eras SYNC;

DROP TABLE IF EXISTS holder_balance_eras SYNC;

DROP TABLE IF EXISTS token_holder_ranks SYNC;

DROP TABLE IF EXISTS token_holder_count_eras SYNC;

CREATE TABLE token_balance_eras
(
    era            UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    token          FixedString(20) COMMENT 'Token contract',
    standard       Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the events',
    token_id       UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    holder         FixedString(20) COMMENT 'Owner; never the zero address',
    delta          Int256          COMMENT 'Received minus sent in the era, smallest unit, modulo 2^256',
    delta_high     Int256          COMMENT 'The same sum over value divided by 2^128: both together are exact, see fragment amount_of_parts',
    transfer_count UInt64          COMMENT 'Transfers in and out in the era'
)
ENGINE = ReplacingMergeTree
ORDER BY (token, standard, token_id, holder, era)   -- answers "holders of this token"; by holder see holder_balance_eras
COMMENT 'Token balance changes by closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE holder_balance_eras
(
    era            UInt64          COMMENT 'As in token_balance_eras',
    token          FixedString(20) COMMENT 'Token contract',
    standard       Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the events',
    token_id       UInt256         COMMENT 'Token id; 0 for TOKEN-20',
    holder         FixedString(20) COMMENT 'Owner',
    delta          Int256          COMMENT 'As in token_balance_eras',
    delta_high     Int256          COMMENT 'As in token_balance_eras',
    transfer_count UInt64          COMMENT 'Transfers in and out in the era'
)
ENGINE = ReplacingMergeTree
ORDER BY (holder, token, standard, token_id, era)   -- answers "tokens of this holder"
COMMENT 'Token balance changes by holder. Written by holder_balance_eras__from_token_balance_eras_mv';

CREATE MATERIALIZED VIEW holder_balance_eras__from_token_balance_eras_mv TO holder_balance_eras AS
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras;

CREATE TABLE token_holder_ranks
(
    token           FixedString(20) COMMENT 'Token contract',
    standard        Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the events',
    inverse_balance UInt256         COMMENT 'bitNot of the balance: ascending order is the richest first',
    holder          FixedString(20) COMMENT 'Owner; never the zero address',
    is_held         UInt8           COMMENT '1: the holder has this balance since the era; 0: it had it until the era',
    era             UInt64          COMMENT 'Era of the change; the highest one of a key counts'
)
ENGINE = ReplacingMergeTree(era)
ORDER BY (token, standard, inverse_balance, holder)   -- answers "richest holders of this token"
SETTINGS index_granularity = 1024
COMMENT 'Balances above 0 over all ids of a standard as of the last closed era. Written by pipeline/store/rollups.ts';

CREATE TABLE token_holder_count_eras
(
    era        UInt64          COMMENT 'Block number divided by the era length, 2,000 blocks',
    token      FixedString(20) COMMENT 'Token contract',
    standard   Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Shape of the events',
    gained     UInt64          COMMENT 'Addresses that had nothing before the era and something after it',
    lost       UInt64          COMMENT 'Addresses that had something before the era and nothing after it',
    held_delta Int256          COMMENT 'Change of the sum of all balances above 0 in the era, smallest unit, modulo 2^256',
    held_high  Int256          COMMENT 'The same sum over balances divided by 2^128: both together are exact'
)
ENGINE = ReplacingMergeTree
ORDER BY (token, standard, era)   -- answers "how many holders has this token"
COMMENT 'Changes of the number of holders by closed era. Written by pipeline/store/rollups.ts';

TRUNCATE TABLE actor_buckets;

TRUNCATE TABLE actor_firsts;

TRUNCATE TABLE actor_days;

TRUNCATE TABLE sender_last_days;

TRUNCATE TABLE sender_returns;

TRUNCATE TABLE subject_buckets;

-- eras and buckets that were closed before have no rows here any more, holders of tokens by bucket among them: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toUInt64(0) AS era_through, toDateTime(0, 'UTC') AS hour_through, toDateTime(0, 'UTC') AS day_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;
