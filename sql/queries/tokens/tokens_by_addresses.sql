-- name:    tokens_by_addresses
-- serves:  listTokenizedAssets
-- returns: those given addresses that are tokens, with metadata and counters
-- reads:   token_counter_eras, token_holder_count_eras, tokens by primary key; token_transfers after the rollup windows
-- budget:  10 s, 2048 MiB, 201 rows
SELECT
{{token_columns}}
FROM ({{token_figures(token IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)))}})
