-- name:    pools_of_factories
-- serves:  getPrice
-- params:  factories: 40 hex digits each
-- returns: liquidity pools that these factory contracts created, from events PairCreated (Uniswap V2) and PoolCreated (V3)
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT
    concat('0x', lower(hex(substring(topic1, 13, 20)))) AS token0, concat('0x', lower(hex(substring(topic2, 13, 20)))) AS token1,
    if(topic_count = 4, 'v3', 'v2') AS pool_kind,
    concat('0x', lower(hex(substring(data, if(topic_count = 4, 45, 13), 20)))) AS pool_hex,
    concat('0x', lower(hex(address))) AS factory, block_number
FROM logs
WHERE {{visible}} AND (block_number, log_index) IN
(
    SELECT block_number, log_index FROM logs_by_address
    WHERE address IN (SELECT toFixedString(unhex(arrayJoin({factories:Array(String)})), 20)) AND {{visible}}
      AND topic0 IN (unhex('0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'),
          unhex('783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'))
)
    AND length(data) = 64 AND topic_count = if(topic0 = unhex('783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'), 4, 3)
ORDER BY block_number, log_index
LIMIT 1 BY block_number, log_index
