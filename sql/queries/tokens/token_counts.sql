-- name:    token_counts
-- serves:  getToken, listTokenHolders, search
-- params:  from_block: a block after the rollup windows
-- returns: one row: counters of the token's transfers from from_block on; transfer_count = 0: none
-- reads:   token_transfers by primary key
-- budget:  10 s, 1024 MiB, 1 row
SELECT
    toInt8(argMin(part.standard, (part.first_block, part.standard))) AS standard_code, groupUniqArray(toInt8(part.standard)) AS seen_codes,
        sum(part.transfer_count) AS transfer_count,
    min(part.first_block) AS first_block, toUInt32(min(part.first_time)) AS first_seen, max(part.last_block) AS last_block
FROM ({{token_counters({{live_token_transfers(token = unhex({token:String}) AND block_number >= {from_block:UInt64})}})}}) AS part
