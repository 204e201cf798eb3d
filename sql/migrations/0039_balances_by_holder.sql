-- 0039_balances_by_holder
-- why:     a look-up of one holder read 8,192 rows of holder_balance_eras; with 256 rows per index entry, to find the balances of
--          holders that moved a token since the last rollup window takes less than half of the CPU
-- replay:  safe; rows have keys, and the old table is dropped last
-- rebuild: INSERT INTO token_balance_eras_by_holder SELECT from token_balance_eras

CREATE TABLE token_balance_eras_by_holder
(
    era            UInt64          COMMENT 'Rollup window: block number divided by 2,000',
    token          FixedString(20) COMMENT 'Token contract',
    standard       Enum8('erc20' = 1, 'erc721' = 2, 'erc1155' = 3) COMMENT 'Token standard of the events',
    token_id       UInt256         COMMENT 'Token id; 0 for TOKEN-20 (ERC-20) tokens',
    holder         FixedString(20) COMMENT 'Owner of the tokens',
    delta          Int256          COMMENT 'Amount received minus amount sent in the rollup window, smallest unit, modulo 2^256',
    delta_high     Int256          COMMENT 'Sum of the same amounts, each divided by 2^128; delta and delta_high together give the exact sum',
    transfer_count UInt64          COMMENT 'Number of transfers from and to the holder in the rollup window'
)
ENGINE = ReplacingMergeTree
ORDER BY (holder, token, standard, token_id, era)   -- answers "tokens of this holder"
SETTINGS index_granularity = 256, min_compress_block_size = 16384   -- requests look up single holders
COMMENT 'Token balance changes by holder and closed rollup window: the rows of token_balance_eras, sorted by holder. Written by token_balance_eras_by_holder__from_token_balance_eras_mv';

CREATE MATERIALIZED VIEW token_balance_eras_by_holder__from_token_balance_eras_mv TO token_balance_eras_by_holder AS
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras;

-- copies the rows in parts, so that each statement ends before the timeout of the client
INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token < toFixedString(unhex('20'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('20'), 20) AND token < toFixedString(unhex('40'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('40'), 20) AND token < toFixedString(unhex('60'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('60'), 20) AND token < toFixedString(unhex('80'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('80'), 20) AND token < toFixedString(unhex('a0'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('a0'), 20) AND token < toFixedString(unhex('c0'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('c0'), 20) AND token < toFixedString(unhex('e0'), 20);

INSERT INTO token_balance_eras_by_holder
SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count
FROM token_balance_eras WHERE token >= toFixedString(unhex('e0'), 20);

DROP TABLE IF EXISTS holder_balance_eras__from_token_balance_eras_mv SYNC;

DROP TABLE IF EXISTS holder_balance_eras SYNC;
