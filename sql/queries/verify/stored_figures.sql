-- name:    stored_figures
-- serves:  verify
-- returns: visible rows of block_figures, as text
-- reads:   block_figures by primary key
-- budget:  60 s, 2048 MiB, 1_000_000 rows
SELECT toString(block_number) AS key, toString(toUInt32(timestamp)) AS timestamp,
    concatWithSeparator(' ', block_count, empty_block_count, gas_used, gas_limit, fees, burned, block_bytes, log_count,
        transaction_count, failed_count, failed_gas_used, failed_fees, creation_count, call_count, plain_count, authorization_count,
        native_transfer_count, native_value, gas_price_sum, token_transfer_count, erc20_transfer_count, user_op_count) AS numbers,
    concatWithSeparator(',', arrayStringConcat(value_samples, ' '), arrayStringConcat(gas_price_samples, ' '),
        arrayStringConcat(fee_samples, ' ')) AS samples,
    arrayStringConcat(arrayMap((kind, address) -> concat(toString(kind), ' 0x', lower(hex(address))), actor_kinds, actors), ',') AS actors
FROM block_figures
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
LIMIT 1 BY block_number, numbers, samples, actors
