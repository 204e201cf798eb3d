-- Pools and their other token, from parameters pools and quote_tokens: two arrays of the same length, 40 hex digits each.
-- grain: one row per pool, a pair of (pool, token); used by the trades of blocks.
SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)}))
