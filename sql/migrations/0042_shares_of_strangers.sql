-- 0042_shares_of_strangers
-- why:     one stranger could take all places for watches, and each stream of an address set read all of anchor_events at each block
-- replay:  safe; column and index are added once
-- rebuild: the index: ALTER TABLE anchor_events MATERIALIZE INDEX heights; networks of older watches stay unknown

ALTER TABLE watches
    ADD COLUMN IF NOT EXISTS network String DEFAULT '' COMMENT 'Keyed hash of the network of the creator, to limit the share of each network; empty: unknown';

ALTER TABLE anchor_events ADD INDEX IF NOT EXISTS heights block_number TYPE minmax GRANULARITY 8;   -- heights rise with the sequence, except at reorgs

ALTER TABLE anchor_events MATERIALIZE INDEX heights;
