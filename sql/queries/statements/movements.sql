-- name:    movements
-- serves:  getStatement
-- params:  to_block: last block, inclusive; it is finalized | tokens: only these tokens, 40 hex digits each; empty for all
-- returns: movements of native currency and tokens, one row per account and movement, oldest first; streamed
-- reads:   address_roles, internal_calls_by_address, token_transfers_by_address by primary key; blocks of the range
-- budget:  3600 s, 4096 MiB, 1_000_000_000 rows
SELECT concat('0x', lower(hex(address))) AS account, block_number AS blockNumber, if(tx_index = 4294967295, NULL, tx_index) AS txIndex,
    toUInt32(timestamp) AS timestamp, if(tx_index = 4294967295, NULL, concat('0x', lower(hex(tx_hash)))) AS txHash, kind,
    if(is_in = 1, 'in', 'out') AS direction, toString(amount) AS amount,
    if(counterparty = '', NULL, concat('0x', lower(hex(counterparty)))) AS counterparty,
    if(token = '', NULL, concat('0x', lower(hex(token)))) AS token, toString(token_id) AS tokenId
FROM
(
    SELECT * FROM ({{account_movements}})
    WHERE bitOr(bitOr(token = '', empty({tokens:Array(String)})), has({tokens:Array(String)}, lower(hex(token))))
)
ORDER BY block_number, tx_index, position, address
