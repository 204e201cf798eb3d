-- name:    nft_moved
-- serves:  getNftToken
-- returns: one row if the token id was ever transferred, else none
-- reads:   token_balance_eras by primary key; token_transfers after the rollup windows
-- budget:  5 s, 512 MiB, 1 row
SELECT 1 AS moved
FROM
(
    SELECT token_id FROM token_balance_eras
    WHERE token = unhex({token:String}) AND standard = {standard:String} AND token_id = {id:UInt256}
        AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    LIMIT 1
    UNION ALL
    SELECT token_id FROM ({{live_token_transfers(token = unhex({token:String}) AND standard = {standard:String} AND token_id = {id:UInt256})}})
)
LIMIT 1
