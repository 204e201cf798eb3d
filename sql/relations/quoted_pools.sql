-- Pairs of a liquidity pool and its token that is not the native currency, from {pools} and {quote_tokens}: two arrays of the same
-- length, 40 hex digits each.
SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)}))
