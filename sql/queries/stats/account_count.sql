-- name:    account_count
-- serves:  getStats
-- params:  snapshot | era_through UInt64 | era_blocks UInt64
-- returns: one row; distinct addresses that took part in any visible transaction
-- reads:   account_counter_eras: address; transactions and logs since the last closed era
-- budget:  20 s, 4096 MiB, 1 row
SELECT uniqExact(address) AS accounts
FROM
(
    SELECT address FROM account_counter_eras WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    UNION ALL
    SELECT arrayJoin(arrayFilter(a -> a IS NOT NULL, [toNullable(from), to, contract_address]))::FixedString(20) AS address
    FROM transactions WHERE block_number >= {era_through:UInt64} AND {{visible}}
    UNION ALL
    SELECT address FROM logs WHERE block_number >= {era_through:UInt64} AND {{visible}}
)
