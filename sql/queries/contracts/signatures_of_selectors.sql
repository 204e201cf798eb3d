-- name:    signatures_of_selectors
-- serves:  getTransaction, listTransactions, listAccountTransactions, getSemanticHistory, compatible account.txlist, compatible account.tokentx
-- params:  selectors: 8 or 64 hex digits each
-- returns: known functions, events and errors with these selectors, most trusted source first; at most 8 per selector and kind
-- reads:   signatures by primary key
-- budget:  5 s, 128 MiB, 20_000 rows
SELECT lower(hex(selector)) AS selector_hex, kind, signature, indexed, priority, declaration, origin
FROM signatures FINAL
WHERE selector IN (SELECT unhex(arrayJoin({selectors:Array(String)})))
ORDER BY selector, kind, priority DESC, signature, indexed
LIMIT 8 BY selector, kind
