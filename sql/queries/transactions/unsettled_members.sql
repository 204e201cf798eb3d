-- name:    unsettled_members
-- serves:  getTransaction, search, listAccountTransactions, compatible account.txlist
-- params:  finalized UInt64 | head UInt64 of the snapshot
-- returns: one row; hashes of the transactions above the finalized block, and the addresses that took part in them, with repetitions
-- reads:   transactions and address_roles of the unsettled blocks
-- budget:  5 s, 512 MiB, 1 row
SELECT
    (SELECT groupArray(hash) FROM transactions WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}) AS hashes,
    (SELECT groupUniqArray(address) FROM address_roles WHERE final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64}) AS addresses
