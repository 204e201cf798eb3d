-- name:    tokens_by_addresses
-- serves:  listTokenizedAssets
-- params:  snapshot (blocks visible to readers)
--          | era_through UInt64 first block after the rollup windows (block ranges with stored totals)
--          | era_blocks UInt64 blocks per rollup window | addresses Array(String) hex digits
-- returns: one row per address that is a token
-- reads:   token_counter_eras, token_holder_count_eras, tokens by primary key; token_transfers after the rollup windows
-- budget:  10 s, 2048 MiB, 201 rows
SELECT
{{token_columns}}
FROM ({{token_figures(token IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)))}})
