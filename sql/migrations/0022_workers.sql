-- 0022_workers
-- why:     several pipelines on one database: who runs, who holds the head, who is at which blocks
-- replay:  safe; keyed by worker and claim
-- rebuild: not derivable; may be emptied while no pipeline runs

CREATE TABLE workers
(
    worker     String                 COMMENT 'Random id of one run of a pipeline',
    beat       UInt64                 COMMENT 'Grows with every sign of life',
    host       String                 COMMENT 'Name of its machine or container',
    pid        UInt32                 COMMENT 'Its process id there',
    role       LowCardinality(String) COMMENT 'head: it follows the chain and leads; helper: it fills history and waits for the head',
    is_stopped UInt8                  COMMENT '1: it has ended and let go of what it held',
    seen_at    DateTime64(3, 'UTC')   COMMENT 'When the sign of life came, by the clock of the database'
)
ENGINE = ReplacingMergeTree(beat)
ORDER BY worker   -- answers "which pipelines are alive"; they are few
TTL toDateTime(seen_at) + INTERVAL 7 DAY
COMMENT 'Pipelines and their signs of life. Written by pipeline/workers/worker.ts';

CREATE TABLE worker_claims
(
    kind       Enum8('head' = 1, 'range' = 2) COMMENT 'What is claimed: to lead and follow the head, or to store a range of final blocks',
    number     UInt64               COMMENT 'Rank: of claims to the same thing the highest counts, of equal ones that of the greater worker',
    worker     String               COMMENT 'Who claims it, as in workers',
    from_block UInt64               COMMENT 'First block, inclusive; 0 for the head',
    to_block   UInt64               COMMENT 'Last block, inclusive; 0 for the head; below from_block: the worker lets go',
    claimed_at DateTime64(3, 'UTC') COMMENT 'When, by the clock of the database'
)
ENGINE = ReplacingMergeTree
ORDER BY (kind, number, worker)   -- answers "is there a higher claim than this one"
SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1   -- a claim that was told to stand stands after a loss of power
COMMENT 'Claims of workers; every write of a worker is refused once a higher claim is here. Written by pipeline/workers';
