-- name:    rollup_token_balance_eras_by_holder
-- serves:  verify
-- returns: one row if token_balance_eras_by_holder (balance changes per rollup window) differs from a recount of logs
-- reads:   logs, token_balance_eras_by_holder
-- budget:  300 s, 4096 MiB, 10 rows
{{check_token_balances(token_balance_eras_by_holder)}}
