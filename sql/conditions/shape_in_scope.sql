-- Shapes (kinds of events) that a search considers: those of events that match its conditions. Only a search over all wallets
-- without conditions on single events compares the fields of shapes instead. sql/compile/conditions.ts removes the unused part.
1 /*?by_knots:*/ AND shape_id IN (SELECT shape_id FROM knots WHERE {{knot_matches}}) /*?;*/
    /*?by_shapes:*/ AND shape_id IN (SELECT shape_id FROM shapes WHERE 1
        /*?direction:*/ AND direction = {direction:String} /*?;*/
        /*?status:*/ AND status = {status:String} /*?;*/
        /*?token_class:*/ AND bitOr(token_class = {token_class:String}, second_token_class = {token_class:String}) /*?;*/
        /*?symbols:*/ AND arrayCount(s -> bitOr(upper(token_symbol) = s, upper(second_token_symbol) = s), {symbols:Array(String)})
            >= {min_symbols:UInt8} /*?;*/) /*?;*/
