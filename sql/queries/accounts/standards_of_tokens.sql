-- name:    standards_of_tokens
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance
-- returns: one row per token: standard (1 ERC-20, 2 ERC-721, 3 ERC-1155), all standards of its events, and its names
-- reads:   tokens, token_counter_eras by primary key; token_transfers after the rollup windows
-- budget:  10 s, 1024 MiB, 100_000 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, standard_code, seen_codes, name, symbol, decimals
FROM ({{token_standards({{among_tokens}})}})
