-- name:    tokens_at
-- serves:  getAccountSnapshot, postReserves
-- params:  to_block: block after which balances are taken | standard: erc20, erc721, erc1155, or empty for all
--          | tokens: only these tokens, 40 hex digits each; empty for all
-- returns: balances above 0, one row per account, token, standard and token id
-- reads:   token_balance_eras_by_holder by primary key, token_transfers_by_address in the rollup window of to_block or after
--          all windows
-- budget:  30 s, 3072 MiB, 10_001 rows
SELECT lower(hex(address)) AS account_hex, lower(hex(token)) AS token_hex, toString(standard) AS standard_name, toString(token_id) AS id,
    {{amount_of_parts(parts)}} AS amount
FROM
(
    SELECT address, token, standard, token_id, (sum(delta), sum(delta_high)) AS parts
    FROM
    (
        SELECT holder AS address, token, standard, token_id, delta, delta_high
        FROM
        (
            SELECT holder, token, standard, token_id, era, delta, delta_high FROM token_balance_eras_by_holder
            WHERE holder IN {{asked_addresses(accounts)}}
                AND era < least(intDiv({to_block:UInt64}, {era_blocks:UInt64}), intDiv({era_through:UInt64}, {era_blocks:UInt64}))
            LIMIT 1 BY holder, token, standard, token_id, era
        )
        UNION ALL
        SELECT address, token, standard, token_id, {{signed_parts}}
        FROM
        (
            SELECT address, token, standard, token_id, direction, value FROM token_transfers_by_address
            WHERE address IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number <= {to_block:UInt64}
                AND block_number >= least(intDiv({to_block:UInt64}, {era_blocks:UInt64}) * {era_blocks:UInt64}, {era_through:UInt64})
            LIMIT 1 BY address, block_number, log_index, batch_index, direction
        )
    )
    GROUP BY address, token, standard, token_id
)
WHERE {{is_held_of_parts(parts)}} AND bitOr({standard:String} = '', toString(standard) = {standard:String})
    AND bitOr(empty({tokens:Array(String)}), token IN {{asked_addresses(tokens)}})
ORDER BY address, token, token_id, standard
LIMIT {limit:UInt32}
