-- name:    token_activity
-- serves:  getToken
-- returns: one row: number of the token's transfers in the 24 hours before head_time
-- reads:   token_transfers by primary key
-- budget:  10 s, 1024 MiB, 1 row
SELECT count() AS transfers_24h
FROM
(
    SELECT block_number, log_index, batch_index FROM token_transfers
    WHERE token = unhex({token:String}) AND {{visible}} AND timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400
    LIMIT 1 BY block_number, log_index, batch_index
)
