-- name:    token_statement
-- serves:  getStatement
-- params:  to_block: last block, inclusive; it is finalized | tokens: only these tokens, 40 hex digits each; empty for all
-- returns: one row per account, token, standard and token id with a balance before the range or a movement in it: balances
--          before and after, sums received and sent, and the sum received from one of the accounts
-- reads:   token_transfers_by_address by primary key
-- budget:  600 s, 4096 MiB, 10_001 rows
SELECT lower(hex(address)) AS account_hex, lower(hex(token)) AS token_hex, toString(standard) AS standard_name, toString(token_id) AS id,
    {{amount_of_parts(before)}} AS opening, {{amount_of_parts(after)}} AS closing,
    {{amount_of_parts(moved_in)}} AS received, {{amount_of_parts(moved_out)}} AS sent,
    {{amount_of_parts(moved_within)}} AS within, movement_count
FROM
(
    SELECT address, token, standard, token_id,
        (sumIf(delta, block_number < {from_block:UInt64}), sumIf(delta_high, block_number < {from_block:UInt64})) AS before,
        (sum(delta), sum(delta_high)) AS after, countIf(block_number >= {from_block:UInt64}) AS movement_count,
        (sumIf(delta, is_moved_in), sumIf(delta_high, is_moved_in)) AS moved_in,
        (-sumIf(delta, is_moved_out), -sumIf(delta_high, is_moved_out)) AS moved_out,
        (sumIf(delta, is_moved_in AND is_within), sumIf(delta_high, is_moved_in AND is_within)) AS moved_within
    FROM
    (
        SELECT address, token, standard, token_id, block_number, {{signed_parts}},
            block_number >= {from_block:UInt64} AND direction = 'in' AS is_moved_in,
            block_number >= {from_block:UInt64} AND direction = 'out' AS is_moved_out,
            counterparty IN {{asked_addresses(accounts)}} AS is_within
        FROM token_transfers_by_address FINAL
        WHERE address IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number <= {to_block:UInt64}
            AND bitOr(empty({tokens:Array(String)}), token IN {{asked_addresses(tokens)}})
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
    GROUP BY address, token, standard, token_id
)
WHERE movement_count > 0 OR {{is_held_of_parts(before)}}
ORDER BY address, token, token_id, standard
LIMIT {limit:UInt32}
