-- name:    token_balances
-- serves:  listAccountTokens
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | address String 40 hex digits | with_zero UInt8 1: balances of 0 too
--          | at_token String 40 hex digits of the last row sent, or empty | limit UInt32
-- returns: one row per TOKEN-20 token that the account ever moved, by address of the token
-- reads:   holder_balance_eras by key, token_transfers_by_address since the last closed era, tokens
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, toString(balance) AS amount, name, symbol, decimals
FROM (SELECT token, sum(balance) AS balance FROM ({{holdings_of_account}}) GROUP BY token) AS held
INNER JOIN ({{token_standards(token IN (SELECT token FROM ({{holdings_of_account}})))}}) AS known USING (token)
WHERE standard_code = 1 AND (balance > 0 OR {with_zero:UInt8} = 1) AND ({at_token:String} = '' OR token > unhex({at_token:String}))
ORDER BY token
LIMIT {limit:UInt32}
