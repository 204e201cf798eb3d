-- name:    token_activity
-- serves:  getToken, listTokens
-- params:  from_block: first block | to_block: last block | fine_until: transfers from this time on count as at this time
-- returns: number of transfers per token and block time (Unix seconds)
-- reads:   token_transfers by primary key
-- budget:  10 s, 1024 MiB, 1_000_000 rows
SELECT token, least(toUInt32(timestamp), {fine_until:UInt32}) AS time, count() AS transfers
FROM
(
    SELECT token, block_number, log_index, batch_index, timestamp FROM token_transfers
    WHERE {{among_tokens}}
      AND {{visible}} AND block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64}
    LIMIT 1 BY token, block_number, log_index, batch_index
)
GROUP BY token, time
