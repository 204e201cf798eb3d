-- What an account holds of each token and id up to the head; the argument is a condition on column token.
-- grain: one row a token and id, zeros included; read by account routes.
SELECT token, token_id, sum(delta) AS balance
FROM
(
    SELECT token, token_id, delta
    FROM
    (
        SELECT token, token_id, era, delta FROM holder_balance_eras
        WHERE holder = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND @source
        LIMIT 1 BY token, token_id, era
    )
    UNION ALL
    SELECT token, token_id, if(direction = 'in', reinterpretAsInt256(value), -reinterpretAsInt256(value)) AS delta
    FROM
    (
        SELECT token, token_id, direction, value FROM token_transfers_by_address
        WHERE address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND {{visible}} AND @source
        LIMIT 1 BY block_number, log_index, batch_index, direction
    )
)
GROUP BY token, token_id
