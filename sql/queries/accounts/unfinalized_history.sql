-- name:    unfinalized_history
-- serves:  getTransaction, getTransactionState, search, getAccount, getBalanceHistory, listAccountTransactions, getSemanticHistory,
--          listContractLogs, getToken, listTokenHolders, getVerdict, getWithdrawal, getKnot, compatible account.txlist,
--          compatible logs.getlogs, compatible contract.getcontractcreation
-- params:  after: first block is the next one, unfinalized | through: last block
-- returns: one row per transaction and address: columns of address_roles, and what the transaction adds to the counters of the
--          account; unordered; may repeat rows
-- reads:   address_roles of these blocks: one partition per block
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT
    address, {{role_figures}},
{{history_columns}}
FROM address_roles
WHERE final = 0 AND block_number > {after:UInt64} AND block_number <= {through:UInt64}
LIMIT {limit:UInt32}
