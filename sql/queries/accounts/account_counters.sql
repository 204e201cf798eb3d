-- name:    account_counters
-- serves:  getAccount
-- params:  snapshot | address String 40 hex digits | era_through UInt64 | era_blocks UInt64
-- returns: one row; figures of closed eras plus the rows behind them, zeros for an address never seen
-- reads:   account_counter_eras and address_roles by key
-- budget:  10 s, 512 MiB, 1 row
SELECT
    toUInt64(sum(transaction_count)) AS transaction_count, toUInt64(sum(sent_count)) AS sent_count,
    toUInt64(sum(received_count)) AS received_count, toUInt64(sum(log_count)) AS log_count,
    toString(sum(value_in)) AS value_in, toString(sum(value_out)) AS value_out, toString(sum(fees)) AS fees,
    min(first_block) AS first_block, max(last_block) AS last_block,
    toUInt32(min(first_time)) AS first_time, toUInt32(max(last_time)) AS last_time
FROM
(
    SELECT transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time
    FROM account_counter_eras
    WHERE address = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    LIMIT 1 BY address, era
    UNION ALL
    SELECT transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block, first_time, last_time
    FROM ({{account_counters(address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND {{visible}})}})
)
