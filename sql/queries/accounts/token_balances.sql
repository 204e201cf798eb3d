-- name:    token_balances
-- serves:  listAccountTokens, compatible account.addresstokenbalance
-- params:  with_zero: 1: include balances of 0
-- returns: balance of the account, one row per token, by address
-- reads:   token_balance_eras_by_holder by primary key, token_transfers_by_address after the rollup windows
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, toString({{amount_of_parts(parts)}}) AS amount
FROM
(
    SELECT token, (sum(low_sum), sum(high_sum)) AS parts
    FROM ({{holdings_of_account({{among_tokens}} AND standard = 'erc20')}})
    GROUP BY token
)
WHERE {{is_held_of_parts(parts)}} OR {with_zero:UInt8} = 1
ORDER BY token
LIMIT {limit:UInt32}
