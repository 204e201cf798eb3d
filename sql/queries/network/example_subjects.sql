-- name:    example_subjects
-- serves:  api
-- returns: one row: the newest transaction, its sender, an ERC-20 and an ERC-721 contract (null: none); no row without a
--          transaction
-- reads:   transactions backwards by primary key; tokens, full scan
-- budget:  2 s, 256 MiB, 1 row
SELECT
    last.1 AS transaction, last.2 AS account,
    (SELECT concat('0x', lower(hex(any(address))))
        FROM (SELECT address FROM tokens WHERE standard = 'erc20' ORDER BY address LIMIT 1) HAVING count() > 0) AS token,
    (SELECT concat('0x', lower(hex(any(address))))
        FROM (SELECT address FROM tokens WHERE standard = 'erc721' ORDER BY address LIMIT 1) HAVING count() > 0) AS nft
FROM
(
    SELECT (concat('0x', lower(hex(hash))), concat('0x', lower(hex(from)))) AS last
    FROM transactions WHERE {{visible}} ORDER BY block_number DESC, tx_index DESC LIMIT 1
)
