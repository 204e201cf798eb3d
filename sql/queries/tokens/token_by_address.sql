-- name:    token_by_address
-- serves:  getToken, listTokenHolders, listTokenTransfers, search
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
-- returns: the token, or no row where the contract never emitted a transfer
-- reads:   token_counter_eras, token_holder_count_eras, tokens by key; token_transfers since the last closed era
-- budget:  10 s, 1024 MiB, 1 row
SELECT
{{token_columns}}
FROM ({{token_figures(token = unhex({token:String}))}})
LIMIT 1
