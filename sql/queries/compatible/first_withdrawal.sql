-- name:    first_withdrawal
-- serves:  compatible account.txsbeaconwithdrawal
-- returns: first block with validator withdrawals; no row if there is none
-- reads:   blocks: one narrow column
-- budget:  5 s, 512 MiB, 1 row
SELECT block_number AS number FROM blocks
WHERE {{visible}} AND withdrawal_count > 0
ORDER BY block_number
LIMIT 1
