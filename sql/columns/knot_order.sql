-- Order of events in search results: by the score of their shape (kind of event), then by {order}, then newest first. Sizes are
-- compared in dollars. Events without a value in dollars follow, by the amount of their token.
transform(shape_id, {ids:Array(UInt64)}, {scores:Array(Float64)}, -1000.) DESC,
    /*?order:*/ multiIf({order:String} = 'largest', ifNull({{knot_dollars}}, -1.), {order:String} = 'smallest', -ifNull({{knot_dollars}}, inf),
        {order:String} = 'earliest', -toFloat64(toUnixTimestamp(timestamp)), 0.) DESC,
    multiIf({order:String} = 'largest', if({{knot_moved}}, amount_value, -1.),
        {order:String} = 'smallest', if({{knot_moved}}, -amount_value, -inf), 0.) DESC, /*?;*/
    timestamp DESC, block_number DESC, tx_index DESC, log_index DESC, part, wallet
