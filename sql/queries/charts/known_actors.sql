-- name:    known_actors
-- serves:  getChart, getLine, listCounters, getStats
-- returns: address and role (such as sender) pairs that occur in a block before before_block
-- reads:   actor_firsts by primary key
-- budget:  20 s, 512 MiB, 100_000 rows
SELECT DISTINCT kind, address FROM actor_firsts
WHERE address IN (SELECT toFixedString(unhex(digits), 20) FROM (SELECT arrayJoin({addresses:Array(String)}) AS digits))
  AND kind IN ('sender', 'address', 'builder', 'token_sender', 'wallet', 'paymaster', 'bundler') -- for the primary key
  AND first_block < {before_block:UInt64}
