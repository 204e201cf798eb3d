-- name:    closed_token
-- serves:  getToken, listTokenHolders, search
-- returns: counters and held amount at the end of the rollup windows, per standard of the events of the token. Fragment
--          amount_of_parts converts (held, held_high) to the amount
-- reads:   token_counter_eras, token_holder_count_eras by primary key
-- budget:  10 s, 512 MiB, 3 rows
SELECT
    toInt8(moves.standard) AS standard_code, moves.transfers AS transfer_count, moves.first_at AS first_block,
    moves.first_seen AS first_seen, moves.last_at AS last_block, owners.holder_count AS holders,
    toString(owners.low_sum) AS held, toString(owners.high_sum) AS held_high
FROM
(
    SELECT part.standard AS standard, sum(part.transfer_count) AS transfers,
        min(part.first_block) AS first_at, toUInt32(min(part.first_time)) AS first_seen, max(part.last_block) AS last_at
    FROM
    (
        SELECT era, token, standard, transfer_count, first_block, last_block, first_time FROM token_counter_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND token = unhex({token:String}) LIMIT 1 BY token, standard, era
    ) AS part
    GROUP BY standard
) AS moves
LEFT JOIN
(
    SELECT part.standard AS standard, sum(toInt64(part.gained) - toInt64(part.lost)) AS holder_count, sum(part.held_delta) AS low_sum,
        sum(part.held_high) AS high_sum
    FROM
    (
        SELECT token, standard, era, gained, lost, held_delta, held_high FROM token_holder_count_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND token = unhex({token:String}) LIMIT 1 BY token, standard, era
    ) AS part
    GROUP BY standard
) AS owners USING (standard)
ORDER BY moves.first_at, standard_code
