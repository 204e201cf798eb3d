-- name:    running_withdrawal_claims
-- serves:  postWithdrawal, rebroadcastWithdrawal
-- returns: ids of running statements that write withdrawal_claims (nonces that withdrawals claim)
-- reads:   system.processes
-- budget:  5 s, 64 MiB, 100_000 rows
SELECT query_id AS id
FROM system.processes
WHERE upper(substring(trimLeft(query), 1, 6)) = 'INSERT' AND position(query, 'withdrawal_claims') > 0
