-- name:    nft_inventory
-- serves:  listNftTokens
-- params:  at_id: token id of the last row of the previous page | to_id: last token id, inclusive
--          | at_holder: owner of the last row of the previous page; empty: first page
-- returns: owners per token id, by id, with block and transaction of the mint
-- reads:   token_balance_eras and token_transfers by primary key
-- budget:  10 s, 2048 MiB, 201 rows
WITH page AS
(
    SELECT token_id, holder, (sum(delta), sum(delta_high)) AS parts, {{amount_of_parts(parts)}} AS balance
    FROM
    (
        SELECT token_id, holder, delta, delta_high
        FROM
        (
            SELECT token_id, holder, era, delta, delta_high FROM token_balance_eras
            WHERE token = unhex({token:String}) AND standard = {standard:String} AND token_id BETWEEN {at_id:UInt256} AND {to_id:UInt256}
                AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
            LIMIT 1 BY token_id, holder, era
        )
        UNION ALL
        SELECT token_id, holder, delta, delta_high
        FROM ({{token_deltas({{live_token_transfers(token = unhex({token:String}) AND standard = {standard:String}
            AND token_id BETWEEN {at_id:UInt256} AND {to_id:UInt256})}})}})
    )
    WHERE {at_holder:String} = '' OR (token_id, holder) > ({at_id:UInt256}, toFixedString(unhex({at_holder:String}), 20))
    GROUP BY token_id, holder
    HAVING balance > 0
    ORDER BY token_id, holder
    LIMIT {limit:UInt32}
)
SELECT toString(token_id) AS id, concat('0x', lower(hex(holder))) AS owner, toString(balance) AS amount, mint_block,
    if(mint_block = 0, NULL, concat('0x', lower(hex(mint_hash)))) AS mint_tx
FROM page
LEFT JOIN
(
    SELECT token_id, argMin(tx_hash, (block_number, log_index)) AS mint_hash, min(block_number) AS mint_block FROM token_transfers
    WHERE token = unhex({token:String}) AND {{visible}} AND standard = {standard:String} AND from = toFixedString('', 20)
        AND token_id IN (SELECT token_id FROM page)
    GROUP BY token_id
) AS minted USING (token_id)
ORDER BY token_id, holder
