-- Pairs of a liquidity pool of {pools} and its other token (not the native currency) of {quote_tokens}: arrays of the same
-- length, 40 hex digits each.
SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)}))
