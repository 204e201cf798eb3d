-- 0010_self_audit
-- why:     what the service counts, against what it must amount to, kept for everybody to read
-- replay:  safe; the newest row of a check counts
-- rebuild: not derivable; the next run of the job writes every check anew

CREATE TABLE self_audits
(
    name       String               COMMENT 'Name of the check; checks of tokens end with the contract',
    expected   String               COMMENT 'What must come out, decimal',
    actual     String               COMMENT 'What came out, decimal; empty where it could not be found out',
    through    UInt64               COMMENT 'Last block that was looked at',
    detail     String               COMMENT 'What differs, in words; empty where nothing does',
    checked_at DateTime64(3, 'UTC') COMMENT 'When'
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY name   -- answers "how did each check come out last"
COMMENT 'Checks of the stored chain against itself and the node. Written by pipeline/jobs/self-audit.ts';
