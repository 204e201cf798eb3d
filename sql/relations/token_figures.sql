-- Tokens with metadata and counters up to the head of the chain, one row each. @source stands for a condition on column token.
-- holder_count counts the holders of standard_code. If no event has this standard, it counts those of the first transfer's
-- standard.
SELECT
    figures.token AS token, if(known.standard != 0, known.standard, toInt8(figures.standard)) AS standard_code,
    known.name AS name, known.symbol AS symbol, known.decimals AS decimals, known.total_supply AS total_supply,
    known.checked_block AS checked_block, figures.transfer_count AS transfer_count, figures.first_block AS first_block,
    figures.first_time AS first_time, figures.last_block AS last_block,
        greatest(toInt64(0), if(has(holders.held_as, standard_code), holders.counts[indexOf(holders.held_as, standard_code)],
        holders.counts[indexOf(holders.held_as, toInt8(figures.standard))])) AS holder_count
FROM
(
    SELECT token, argMin(part.standard, (part.first_block, part.standard)) AS standard, sum(part.transfer_count) AS transfer_count,
        min(part.first_block) AS first_block, max(part.last_block) AS last_block, min(part.first_time) AS first_time
    FROM
    (
        SELECT era, token, standard, transfer_count, first_block, last_block, first_time FROM token_counter_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND @source LIMIT 1 BY token, standard, era
        UNION ALL
        SELECT era, token, standard, transfer_count, first_block, last_block, first_time
        FROM ({{token_counters({{live_token_transfers(@source)}})}})
    ) AS part
    GROUP BY token
) AS figures
LEFT JOIN
(
    SELECT token, groupArray(toInt8(standard)) AS held_as, groupArray(holder_count) AS counts
    FROM
    (
        SELECT token, standard, toInt64(sum(held)) AS holder_count
        FROM
        (
            SELECT token, standard, toInt64(gained) - toInt64(lost) AS held FROM token_holder_count_eras
            WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND @source LIMIT 1 BY token, standard, era
            UNION ALL
            SELECT token, standard, toInt64({{is_held_of_parts(parts_after)}}) - toInt64({{is_held_of_parts(parts_before)}}) AS held
                FROM ({{live_holder_balances(@source)}})
        )
        GROUP BY token, standard
    )
    GROUP BY token
) AS holders USING (token)
LEFT JOIN
(
    SELECT address AS token, argMax(toInt8(standard), version) AS standard, argMax(tuple(name), version).1 AS name,
        argMax(tuple(symbol), version).1 AS symbol, argMax(tuple(decimals), version).1 AS decimals,
        argMax(tuple(total_supply), version).1 AS total_supply, argMax(checked_block, version) AS checked_block
    FROM tokens
    GROUP BY address
) AS known USING (token)
