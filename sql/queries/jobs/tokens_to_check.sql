-- name:    tokens_to_check
-- serves:  pipeline
-- params:  era_through UInt64 first block after the closed rollup windows | snapshot | limit UInt32 | stale_before UInt64 Unix milliseconds
-- returns: tokens whose metadata is to be read: those never read from their contract first, then those read longest ago; with standard and first block
-- reads:   token_counter_eras, tokens, token_transfers since the last closed rollup window
-- budget:  60 s, 2048 MiB, 10_000 rows
SELECT concat('0x', lower(hex(token))) AS address, standard, first_block
FROM
(
    SELECT token, argMin(part.standard, (part.first_block, part.standard)) AS standard, min(part.first_block) AS first_block
    FROM
    (
        SELECT token, standard, first_block FROM token_counter_eras
        UNION ALL
        SELECT token, standard, block_number AS first_block FROM token_transfers
        WHERE block_number >= {era_through:UInt64} AND {{visible}}
    ) AS part
    GROUP BY token
) AS seen
LEFT JOIN (SELECT address AS token, max(version) AS asked FROM tokens GROUP BY address) AS known USING (token)
WHERE asked < {stale_before:UInt64}
ORDER BY asked, first_block
LIMIT {limit:UInt32}
