-- 0026_failed_creations
-- why:     nodes name a contract address for creations that failed too; nothing is there, so it is no account
-- replay:  safe; deletes what newer versions do not write, and buckets are closed again from rows
-- rebuild: as before: TRUNCATE the rollups and lower their marks, and the pipeline closes them again

ALTER TABLE address_roles DELETE WHERE status = 0 AND to IS NULL AND contract_address = address AND address != from SETTINGS mutations_sync = 2;

TRUNCATE TABLE account_counter_eras;

TRUNCATE TABLE actor_buckets;

TRUNCATE TABLE actor_firsts;

TRUNCATE TABLE actor_days;

TRUNCATE TABLE sender_last_days;

TRUNCATE TABLE sender_returns;

TRUNCATE TABLE subject_buckets;

TRUNCATE TABLE token_holder_ranks;

-- eras and buckets that were closed before have no rows here any more: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toUInt64(0) AS era_through, toDateTime(0, 'UTC') AS hour_through, toDateTime(0, 'UTC') AS day_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;
