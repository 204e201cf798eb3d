-- 0040_coin_checkpoints
-- why:     the coin balances of all accounts after an early block were computed from the newest balances and all later movements, up
--          to 40 million; from stored balances in between, only the movements up to the next stored block count
-- replay:  safe; a row has a key, and its value never changes while its block stays final
-- rebuild: delete the marks "account_balances checkpoint…" of job_marks, TRUNCATE coin_checkpoints, and the pipeline computes the rows again

CREATE TABLE coin_checkpoints
(
    block_number UInt64          COMMENT 'Finalized block',
    address      FixedString(20) COMMENT 'Account',
    balance      UInt256         COMMENT 'Balance of native currency after the block, wei' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (block_number, address)   -- answers "all balances after this block"
COMMENT 'Balances of native currency of all known accounts after one block per million transactions or more. Only the blocks with a mark in job_marks are complete. Written by pipeline/jobs/coin-checkpoints.ts'
