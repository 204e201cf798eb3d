-- name:    knot_tokens
-- serves:  pipeline
-- params:  to_block: last block, inclusive; it is finalized
-- returns: contracts that emitted logs with these first topics in the block range, with token metadata (is_asked = 0: not read
--          yet)
-- reads:   logs by primary key, tokens
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT concat('0x', lower(hex(emitter))) AS address, if(token.version = 0, 0, 1) AS is_asked,
    token.standard AS standard, token.name AS name, token.symbol AS symbol, token.decimals AS decimals
FROM
(
    SELECT DISTINCT logs.address AS emitter FROM logs
    WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND topic0 IN (SELECT toFixedString(unhex(arrayJoin({topics:Array(String)})), 32))
) AS seen
LEFT JOIN (SELECT * FROM tokens FINAL) AS token ON token.address = seen.emitter
