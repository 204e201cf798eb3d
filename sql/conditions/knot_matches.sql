-- Conditions of a search on events (rows of knots). All except the time are optional: sql/compile/conditions.ts removes unused
-- ones. A swap matches if one of its two amounts does. If token symbols are given, only amounts of these tokens match, and an
-- event must contain {min_symbols} of them.
timestamp >= toDateTime({from_time:UInt32}, 'UTC') AND timestamp <= toDateTime({to_time:UInt32}, 'UTC')
    /*?wallet:*/ AND wallet = unhex({wallet:String}) /*?;*/
    /*?through_block:*/ AND block_number <= {through_block:UInt64} /*?;*/
    /*?from_block:*/ AND block_number >= {from_block:Int64} /*?;*/
    /*?to_block:*/ AND block_number <= {to_block:Int64} /*?;*/
    /*?tx_hash:*/ AND tx_hash = unhex({tx_hash:String}) /*?;*/
    /*?address:*/ AND bitOr(bitOr(counterparty = unhex({address:String}), token = unhex({address:String})),
        bitOr(second_token = unhex({address:String}), wallet = unhex({address:String}))) /*?;*/
    /*?token_id:*/ AND ifNull(token_id = toUInt256({token_id:String}), 0) /*?;*/
    /*?direction:*/ AND direction = {direction:String} /*?;*/
    /*?status:*/ AND status = {status:String} /*?;*/
    /*?token_class:*/ AND bitOr(token_class = {token_class:String}, second_token_class = {token_class:String}) /*?;*/
    /*?symbols:*/ AND arrayCount(s -> bitOr(upper(token_symbol) = s, upper(second_token_symbol) = s), {symbols:Array(String)}) >= {min_symbols:UInt8} /*?;*/
    /*?amount_unit:*/ AND if({amount_unit:String} = 'usd', ifNull({{knot_dollars}} BETWEEN {min_amount:Float64} AND {max_amount:Float64}, 0),
        bitOr(
            bitAnd(bitAnd(amount_value >= {min_amount:Float64}, amount_value <= {max_amount:Float64}),
                bitOr(empty({symbols:Array(String)}), has({symbols:Array(String)}, upper(token_symbol)))),
            bitAnd(bitAnd(second_amount_value >= {min_amount:Float64}, second_amount_value <= {max_amount:Float64}),
                bitAnd(bitOr(second_token_symbol != '', second_token != toFixedString('', 20)),
                    bitOr(empty({symbols:Array(String)}), has({symbols:Array(String)}, upper(second_token_symbol))))))) /*?;*/
