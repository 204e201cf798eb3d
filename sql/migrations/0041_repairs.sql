-- 0041_repairs
-- why:     a repair replaces rows of blocks whose hash stays the same, so cursors of lists did not notice it and missed corrected rows
-- replay:  safe; columns are added once, and rows of before have their defaults
-- rebuild: not derivable; without entries, cursors from before a repair stay valid

ALTER TABLE chain_state
    ADD COLUMN IF NOT EXISTS repair_generations Array(UInt64) DEFAULT [] COMMENT 'Reorg generations that began with a repair of stored blocks, ascending. A repair that a later one covers is not listed',
    ADD COLUMN IF NOT EXISTS repair_blocks Array(UInt64) DEFAULT [] COMMENT 'First repaired block of each of these repairs';
