-- 0024_doubt
-- why:     settled blocks that a node contradicts, a reorg that is under way, and what a pipeline reports of itself
-- replay:  safe; columns are added once, and rows of before have their defaults
-- rebuild: not derivable; a doubt is found again by the next comparison with the nodes

ALTER TABLE chain_state
    ADD COLUMN IF NOT EXISTS doubted_from UInt64 DEFAULT 0 COMMENT 'First block that a node contradicts although it is settled; 0: none. Nothing is final from here on',
    ADD COLUMN IF NOT EXISTS doubted_since DateTime64(3, 'UTC') DEFAULT 0 COMMENT 'When the contradiction was seen first',
    ADD COLUMN IF NOT EXISTS doubt String DEFAULT '' COMMENT 'The contradiction in words: endpoint, block, both hashes',
    ADD COLUMN IF NOT EXISTS reorg_intent String DEFAULT '' COMMENT 'The reorg that this state hides the old branch of, as JSON; empty once it is in reorgs';

ALTER TABLE workers
    ADD COLUMN IF NOT EXISTS report String DEFAULT '' COMMENT 'What the pipeline is doing and what keeps it, as JSON: see pipeline/report.ts';
