-- name:    tokens_to_check
-- serves:  pipeline
-- params:  stale_before: Unix milliseconds: read metadata older than this again
-- returns: tokens whose metadata to read from their contracts, with standard and first block: tokens never read, then those
--          read longest ago
-- reads:   token_counter_eras, tokens, token_transfers after the rollup windows
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
