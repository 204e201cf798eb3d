-- 0048_schedules_of_networks
-- why:     one stranger could take all places for scheduled queries
-- replay:  safe; the column is added once
-- rebuild: nothing; networks of older schedules stay unknown

ALTER TABLE sql_schedules
    ADD COLUMN IF NOT EXISTS network String DEFAULT '' COMMENT 'Keyed hash of the network of the creator, to limit the share of each network; empty: unknown';
