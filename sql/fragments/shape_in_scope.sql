-- Shapes that a search may find: those of knots that match, or, over all wallets and with nothing asked of the knot itself, those
-- whose own fields match.
if({by_knots:UInt8} = 1, shape_id IN (SELECT shape_id FROM knots WHERE {{knot_matches}}), 1)
    AND if({by_shapes:UInt8} = 1, shape_id IN (SELECT shape_id FROM shapes WHERE
        if({direction:String} = '', 1, direction = {direction:String})
        AND if({status:String} = '', 1, status = {status:String})
        AND if({token_class:String} = '', 1, bitOr(token_class = {token_class:String}, second_token_class = {token_class:String}))
        AND if(empty({symbols:Array(String)}), 1, arrayAll(s -> bitOr(upper(token_symbol) = s, upper(second_token_symbol) = s), {symbols:Array(String)}))), 1)
