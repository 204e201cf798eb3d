-- What a search asks of a knot itself. A parameter that is empty asks for nothing: the planner folds its condition away, so the
-- primary key prunes by the wallet where there is one. Amounts are of either side of a conversion, of the named tokens where some are.
if({wallet:String} = '', 1, wallet = unhex({wallet:String}))
    AND timestamp >= toDateTime({from_time:UInt32}, 'UTC') AND timestamp <= toDateTime({to_time:UInt32}, 'UTC')
    AND if({through_block:UInt64} = 0, 1, block_number <= {through_block:UInt64})
    AND if({block:Int64} < 0, 1, block_number = {block:Int64})
    AND if({tx_hash:String} = '', 1, tx_hash = unhex({tx_hash:String}))
    AND if({address:String} = '', 1, bitOr(bitOr(counterparty = unhex({address:String}), token = unhex({address:String})), bitOr(second_token = unhex({address:String}), wallet = unhex({address:String}))))
    AND if({token_id:String} = '', 1, ifNull(token_id = toUInt256({token_id:String}), 0))
    AND if({direction:String} = '', 1, direction = {direction:String})
    AND if({status:String} = '', 1, status = {status:String})
    AND if({token_class:String} = '', 1, bitOr(token_class = {token_class:String}, second_token_class = {token_class:String}))
    AND if(empty({symbols:Array(String)}), 1, arrayAll(s -> bitOr(upper(token_symbol) = s, upper(second_token_symbol) = s), {symbols:Array(String)}))
    AND multiIf({amount_unit:String} = '', 1,
        {amount_unit:String} = 'usd', bitAnd(ifNull(usd, -1) >= {min_amount:Float64}, ifNull(usd, -1) <= {max_amount:Float64}),
        bitOr(
            bitAnd(bitAnd(amount_value >= {min_amount:Float64}, amount_value <= {max_amount:Float64}),
                bitOr(empty({symbols:Array(String)}), has({symbols:Array(String)}, upper(token_symbol)))),
            bitAnd(bitAnd(second_amount_value >= {min_amount:Float64}, second_amount_value <= {max_amount:Float64}),
                bitAnd(second_token_symbol != '', bitOr(empty({symbols:Array(String)}), has({symbols:Array(String)}, upper(second_token_symbol)))))))
