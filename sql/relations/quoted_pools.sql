-- Pools and their other token, from parameters pools and quote_tokens: two arrays of one length, 40 hex digits each.
-- grain: one row a pool, a pair of (pool, token); read by the trades of blocks.
SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)}))
