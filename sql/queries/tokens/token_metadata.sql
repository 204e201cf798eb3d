-- name:    token_metadata
-- serves:  getToken, listTokenHolders, listTokenTransfers, search
-- returns: name, symbol, decimals and supply, as last read from the token contract, or no row
-- reads:   tokens by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT toInt8(standard) AS standard_code, name, symbol, decimals, toString(total_supply) AS supply, checked_block
FROM tokens FINAL
WHERE address = unhex({token:String})
