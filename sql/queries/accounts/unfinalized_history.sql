-- name:    unfinalized_history
-- serves:  getTransaction, getTransactionState, search, listAccountTransactions, getSemanticHistory, compatible account.txlist
-- params:  finalized UInt64 | head UInt64 the blocks above finalized, up to head | limit UInt32
-- returns: rows of address_roles (one address and transaction) of all addresses in these blocks, each with what it adds to the
--          counters of the account; unordered, may contain duplicate rows
-- reads:   address_roles of these blocks; each block is a separate partition
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT
    address, {{role_figures}},
{{history_columns}}
FROM address_roles
WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}
LIMIT {limit:UInt32}
