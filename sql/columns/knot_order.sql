-- Order of events in search results: by the score of their shape (kind of event), then by {order}, then newest first.
transform(shape_id, {ids:Array(UInt64)}, {scores:Array(Float64)}, -1000.) DESC,
    /*?order:*/ multiIf({order:String} = 'largest', ifNull(usd, 0.), {order:String} = 'smallest', -ifNull(usd, 0.), {order:String} = 'earliest',
        -toFloat64(toUnixTimestamp(timestamp)), 0.) DESC, /*?;*/
    timestamp DESC, block_number DESC, tx_index DESC, log_index DESC, part, wallet
