-- name:    coin_change
-- serves:  getAccountSnapshot, compatible account.balance,
--          compatible account.balancehistory, compatible account.eth_get_balance
-- params:  accounts: one address | from_block: first block whose movements count
-- returns: one row: native currency that the account received, minus what it sent and lost, wei
-- reads:   as movements, lost coin from internal_calls, column excess_blob_gas of blocks (full scan)
-- budget:  30 s, 2048 MiB, 1 row
SELECT toString(sum(delta)) AS wei
FROM
(
    SELECT if(is_in = 1, toInt256(amount), -toInt256(amount)) AS delta FROM ({{account_movements}}) WHERE token = ''
    UNION ALL
    SELECT -toInt256(amount) AS delta FROM ({{lost_coin(
        block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND from IN {{asked_addresses(accounts)}})}})
    WHERE address IN {{asked_addresses(accounts)}}
)
