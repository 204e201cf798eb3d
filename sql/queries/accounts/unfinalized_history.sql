-- name:    unfinalized_history
-- serves:  getTransaction, search, listAccountTransactions, getSemanticHistory, compatible account.txlist
-- params:  finalized UInt64 | head UInt64 blocks above the one up to the other | limit UInt32
-- returns: history rows of everybody in these blocks with what each adds to figures, in no order, two of one while a repeated insert is not merged yet
-- reads:   address_roles of these blocks, each a partition of its own
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT
    address, {{role_figures}},
{{history_columns}}
FROM address_roles
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
LIMIT {limit:UInt32}
