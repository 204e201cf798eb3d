-- name:    touched_accounts
-- serves:  pipeline
-- returns: addresses whose native balance the finalized blocks of the range may have changed: senders, recipients, created
--          contracts, block producers, parties of internal calls. Also parties of token transfers and emitters of logs, because
--          internal calls often accompany these, but are not stored for every block
-- reads:   transactions, blocks, internal_calls, logs by primary key
-- budget:  60 s, 2048 MiB, 2_000_000 rows
SELECT DISTINCT concat('0x', lower(hex(address))) AS address
FROM
(
    SELECT arrayJoin(arrayFilter(a -> a IS NOT NULL, [toNullable(from), to, if(ifNull(status, 1) = 1, contract_address, NULL)]))::FixedString(20) AS address
    FROM transactions WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    UNION ALL
    SELECT miner AS address FROM blocks WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    UNION ALL
    SELECT arrayJoin([from, ifNull(to, from)]) AS address FROM internal_calls WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    UNION ALL
    SELECT arrayJoin([from, to]) AS address FROM ({{token_transfers_of_finalized_logs}})
    UNION ALL
    SELECT address FROM logs WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
)
LIMIT {limit:UInt32}
