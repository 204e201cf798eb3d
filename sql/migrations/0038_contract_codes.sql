-- 0038_contract_codes
-- why:     the explorer lists contracts with the same code, verified or not
-- replay:  safe; a row is a complete state, and the newest row of a key is valid
-- rebuild: TRUNCATE contract_codes, delete the mark "contract_codes" of job_marks, and the pipeline reads the codes again

CREATE TABLE contract_codes
(
    code_hash FixedString(32) COMMENT 'Keccak-256 of the code without the metadata that the compiler appends',
    address   FixedString(20) COMMENT 'Contract that had this code',
    read_at   UInt64          COMMENT 'Finalized block at which the node returned the code; the row with the highest block is valid'
)
ENGINE = ReplacingMergeTree(read_at)
ORDER BY (code_hash, address)   -- answers "contracts with this code"
SETTINGS index_granularity = 1024
COMMENT 'Code hash of each contract that was created by a transaction or, in traced blocks, by another contract. A contract whose code changed has several rows. Written by pipeline/jobs';
