-- name:    closed_token
-- serves:  getToken, listTokenHolders, search
-- params:  era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
-- returns: one row; figures of the token in closed eras, eras = 0 where it has none
-- reads:   token_counter_eras, token_holder_count_eras by key
-- budget:  10 s, 512 MiB, 1 row
SELECT
    moves.eras AS eras, moves.standard_code AS standard_code, moves.transfers AS transfer_count, moves.first_at AS first_block,
    moves.first_seen AS first_seen, moves.last_at AS last_block, owners.holder_count AS holders, toString(owners.held) AS held
FROM
(
    SELECT count() AS eras, toInt8(argMin(part.standard, part.first_block)) AS standard_code, sum(part.transfer_count) AS transfers,
        min(part.first_block) AS first_at, toUInt32(min(part.first_time)) AS first_seen, max(part.last_block) AS last_at
    FROM
    (
        SELECT era, token, standard, transfer_count, first_block, last_block, first_time FROM token_counter_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND token = unhex({token:String}) LIMIT 1 BY token, standard, era
    ) AS part
) AS moves
CROSS JOIN
(
    SELECT sum(toInt64(part.gained) - toInt64(part.lost)) AS holder_count, sum(part.held_delta) AS held
    FROM
    (
        SELECT token, era, gained, lost, held_delta FROM token_holder_count_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND token = unhex({token:String}) LIMIT 1 BY token, era
    ) AS part
) AS owners
