-- Decodes swaps of liquidity pools from the events of Uniswap V2 and V3: one row per event. Pass a table or subquery of logs as
-- @source. An amount is positive if the pool received it. Any contract can emit these events, so readers must select the pools that
-- they trust.
SELECT
    final, block_number, log_index, tx_index, tx_hash, timestamp,
    address AS pool,
    CAST(if(is_v3, 3, 2), 'Enum8(\'v2\' = 2, \'v3\' = 3)') AS kind,
    toFixedString(substring(topic1, 13, 20), 20) AS sender,
    toFixedString(substring(topic2, 13, 20), 20) AS recipient,
    if(is_v3, word0, word0 - reinterpretAsInt256(reverse(substring(data, 65, 32)))) AS amount0,
    if(is_v3, word1, word1 - reinterpretAsInt256(reverse(substring(data, 97, 32)))) AS amount1
FROM
(
    SELECT
        *,
        topic0 = unhex('c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67') AS is_v3,
        reinterpretAsInt256(reverse(substring(data, 1, 32))) AS word0,
        reinterpretAsInt256(reverse(substring(data, 33, 32))) AS word1
    FROM @source
    WHERE topic_count = 3
      AND ((topic0 = unhex('d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822') AND length(data) = 128)
        OR (topic0 = unhex('c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67') AND length(data) = 160))
)
