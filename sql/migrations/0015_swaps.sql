-- 0015_swaps
-- why:     trades of the decentralised exchange by pool: price and volume are computed from these rows alone
-- replay:  safe; keyed by place of the log
-- rebuild: TRUNCATE, then INSERT SELECT of the view's statement from logs; a database that had logs before is filled so below

CREATE TABLE swaps
(
    final        UInt8           COMMENT 'As in logs',
    block_number UInt64          COMMENT 'Height of the block',
    log_index    UInt32          COMMENT 'Position of the log in the block',
    tx_index     UInt32          COMMENT 'Position of the transaction',
    tx_hash      FixedString(32) COMMENT 'Transaction hash',
    timestamp    DateTime('UTC') COMMENT 'Time of the block',
    pool         FixedString(20) COMMENT 'Emitter of the log',
    kind         Enum8('v2' = 2, 'v3' = 3) COMMENT 'Shape of the event: Uniswap V2 or V3',
    sender       FixedString(20) COMMENT 'Who called the pool, by the event',
    recipient    FixedString(20) COMMENT 'Who got what the pool gave, by the event',
    amount0      Int256          COMMENT 'Of token0, smallest unit: positive went into the pool, negative out of it',
    amount1      Int256          COMMENT 'Of token1, likewise'
)
ENGINE = ReplacingMergeTree
PARTITION BY (final, if(final = 1, intDiv(block_number, 10000000), block_number))
ORDER BY (pool, block_number, log_index)   -- answers "trades of this pool in a window"
COMMENT 'Swaps by pool. Written by swaps__from_logs_mv';

CREATE MATERIALIZED VIEW swaps__from_logs_mv TO swaps AS
{{swaps_of_logs(logs)}};

INSERT INTO swaps
{{swaps_of_logs((SELECT * FROM logs WHERE topic0 IN (unhex('d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'), unhex('c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'))))}};
