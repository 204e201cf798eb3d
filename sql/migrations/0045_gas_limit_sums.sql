-- 0045_gas_limit_sums
-- why:     sums of very high gas limits exceeded 64 bits: 2,048 blocks of 2^53 gas. Where a chain has such blocks, run
--          cordscan rederive rollups. Pending verifications store when their process last confirmed them
-- replay:  safe; changes a type and a comment
-- readers: unaffected

ALTER TABLE chart_buckets MODIFY COLUMN gas_limit UInt256;

ALTER TABLE verification_jobs
    COMMENT COLUMN ended_at 'Time of the result; while the job is pending, the last time at which its process confirmed it';
