-- name:    nft_holdings
-- serves:  listAccountNfts
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | address String 40 hex digits
--          | at_token String 40 hex digits | at_id UInt256 of the last row sent, at_token empty: from the start | limit UInt32
-- returns: one row per ERC-721 token id that the account owns, by contract and id; block of its newest transfer in
-- reads:   holder_balance_eras by key, token_transfers_by_address by key, tokens
-- budget:  20 s, 2048 MiB, 100_001 rows
WITH page AS
(
    SELECT token, token_id, name, symbol
    FROM (SELECT token, token_id, balance FROM ({{holdings_of_account}})) AS held
    INNER JOIN ({{token_standards(token IN (SELECT token FROM ({{holdings_of_account}})))}}) AS known USING (token)
    WHERE standard_code = 2 AND balance > 0
      AND ({at_token:String} = '' OR (token, token_id) > (toFixedString(unhex({at_token:String}), 20), {at_id:UInt256}))
    ORDER BY token, token_id
    LIMIT {limit:UInt32}
)
SELECT concat('0x', lower(hex(token))) AS token_hex, toString(token_id) AS id, name, symbol, acquired_block
FROM page
LEFT JOIN
(
    SELECT token, token_id, max(block_number) AS acquired_block FROM token_transfers_by_address
    WHERE address = unhex({address:String}) AND {{visible}} AND direction = 'in' AND (token, token_id) IN (SELECT token, token_id FROM page)
    GROUP BY token, token_id
) AS acquired USING (token, token_id)
ORDER BY token, token_id
