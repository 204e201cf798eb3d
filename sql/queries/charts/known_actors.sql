-- name:    known_actors
-- serves:  getChart, getLine, listCounters, getStats
-- params:  addresses Array(String) hex digits of 20 bytes each | before_block UInt64
-- returns: one row per address and kind of role (such as sender) that the address had in a block before before_block
-- reads:   actor_firsts by primary key
-- budget:  20 s, 512 MiB, 100_000 rows
SELECT DISTINCT kind, address FROM actor_firsts
WHERE address IN (SELECT toFixedString(unhex(digits), 20) FROM (SELECT arrayJoin({addresses:Array(String)}) AS digits))
  AND kind IN ('sender', 'address', 'builder', 'token_sender', 'wallet', 'paymaster', 'bundler') -- without this, the engine would not use the primary key
  AND first_block < {before_block:UInt64}
