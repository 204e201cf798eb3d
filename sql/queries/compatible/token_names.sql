-- name:    token_names
-- serves:  compatible account.tokentx, every route
-- returns: name, symbol and decimals of the token contracts, as last read; no row for a contract that was never read
-- reads:   tokens by primary key
-- budget:  5 s, 512 MiB, 10_000 rows
SELECT concat('0x', lower(hex(address))) AS token, name, symbol, decimals
FROM tokens FINAL
WHERE address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
