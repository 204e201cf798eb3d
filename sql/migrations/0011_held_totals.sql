-- 0011_held_totals
-- why:     sum of all balances of a token without reading each of its holders
-- replay:  safe; rows of eras are computed from rows and come out the same
-- rebuild: TRUNCATE token_holder_count_eras, set era_through of chain_state to 0: the pipeline closes all eras again

ALTER TABLE token_holder_count_eras
    ADD COLUMN IF NOT EXISTS held_delta Int256 DEFAULT 0 COMMENT 'Change of the sum of all balances above 0 in the era, smallest unit';

TRUNCATE TABLE token_holder_count_eras;

-- eras that were closed before have no rows here any more: close them again
INSERT INTO chain_state
SELECT * REPLACE (version + 1 AS version, toUInt64(0) AS era_through)
FROM chain_state ORDER BY chain_state.version DESC LIMIT 1;
