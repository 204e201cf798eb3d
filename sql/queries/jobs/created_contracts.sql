-- name:    created_contracts
-- serves:  pipeline
-- returns: contracts created in the finalized blocks of the range; those created by contracts only in traced blocks
-- reads:   transactions and internal_calls by primary key
-- budget:  60 s, 1024 MiB, 2_000_000 rows
SELECT DISTINCT concat('0x', lower(hex(address))) AS address
FROM
(
    SELECT assumeNotNull(contract_address) AS address FROM transactions
    WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND contract_address IS NOT NULL AND ifNull(status, 1) = 1
    UNION ALL
    SELECT assumeNotNull(to) AS address FROM internal_calls
    WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND type IN ('create', 'create2') AND error = ''
        AND to IS NOT NULL
)
LIMIT {limit:UInt32}
