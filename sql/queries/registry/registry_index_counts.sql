-- name:    registry_index_counts
-- serves:  getRegistryStats
-- params:  from_block: first block after the hours with stored figures
-- returns: one row: number of addresses that sent a transaction, of those that are registry wallets, and of registry contracts
--          that transactions created
-- reads:   actor_buckets by primary key; transactions after the stored hours; actor_firsts and contract_creations for the
--          addresses found
-- budget:  20 s, 2048 MiB, 1 row
WITH recent AS (SELECT DISTINCT from AS address FROM transactions WHERE block_number >= {from_block:UInt64} AND {{visible}})
SELECT
    (
        SELECT sum(new_count) FROM
        (
            SELECT new_count FROM actor_buckets
            WHERE resolution = 'hour' AND kind = 'sender' AND bucket < toDateTime({hour_through:UInt32}, 'UTC') LIMIT 1 BY bucket
        )
    ) + (
        SELECT count() FROM recent
        WHERE address NOT IN
            (SELECT address FROM actor_firsts WHERE kind = 'sender' AND first_block < {from_block:UInt64} AND address IN (SELECT address FROM recent))
    ) AS senders,
    (
        SELECT uniqExact(address) FROM
        (
            SELECT address FROM actor_firsts
            WHERE kind = 'sender' AND first_block < {from_block:UInt64} AND address IN ({{registry_addresses('wallet')}})
            UNION ALL
            SELECT address FROM recent WHERE address IN ({{registry_addresses('wallet')}})
        )
    ) AS listed_wallets,
    (
        SELECT uniqExact(address) FROM contract_creations WHERE {{visible}} AND address IN ({{registry_addresses('contract')}})
    ) AS listed_contracts
