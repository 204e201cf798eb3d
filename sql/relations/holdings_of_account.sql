-- Token balances of the account {address} at the head of the chain, including 0: one row per token, standard and token id.
-- @source stands for a condition on token and standard. Fragment amount_of_parts converts (low_sum, high_sum) to the balance.
SELECT token, standard, token_id, sum(delta) AS low_sum, sum(delta_high) AS high_sum
FROM
(
    SELECT token, standard, token_id, delta, delta_high
    FROM
    (
        SELECT token, standard, token_id, era, delta, delta_high FROM token_balance_eras_by_holder
        WHERE holder = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND @source
        LIMIT 1 BY token, standard, token_id, era
    )
    UNION ALL
    SELECT token, standard, token_id, {{signed_parts}}
    FROM
    (
        SELECT token, standard, token_id, direction, value FROM token_transfers_by_address
        WHERE address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND {{visible}} AND @source
        LIMIT 1 BY block_number, log_index, batch_index, direction
    )
)
GROUP BY token, standard, token_id
