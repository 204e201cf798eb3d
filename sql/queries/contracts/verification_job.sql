-- name:    verification_job
-- serves:  compatible contract.checkverifystatus, getSourcifyJob
-- returns: newest state of the job that verifies a contract, or no row
-- reads:   verification_jobs by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT kind, lower(hex(verification_jobs.address)) AS address_hex, state, error_code, message,
    toUnixTimestamp64Milli(verification_jobs.started_at) AS started_ms, toUnixTimestamp64Milli(verification_jobs.ended_at) AS ended_ms
FROM verification_jobs
WHERE id = {id:String}
ORDER BY version DESC, verification_jobs.ended_at DESC
LIMIT 1
