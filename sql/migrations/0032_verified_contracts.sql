-- 0032_verified_contracts
-- why:     an explorer shows the source code of contracts; a source counts only if its compiled code equals that of the contract
-- replay:  safe; a row is a complete state, and the newest row of a key is valid
-- rebuild: not derivable: sources come from clients

CREATE TABLE verified_contracts
(
    address               FixedString(20)        COMMENT 'Address of the contract',
    version               UInt64                 COMMENT 'Time of the verification, Unix milliseconds; the row with the highest version is valid',
    code_hash             FixedString(32)        COMMENT 'Keccak-256 hash of the code that was verified; if the contract now has other code, the row is not valid for it',
    code_size             UInt32                 COMMENT 'Size of the code, bytes',
    masked_hash           FixedString(32)        COMMENT 'Keccak-256 hash of the code in which open_ranges are zero: equal for contracts of the same source',
    open_ranges           Array(UInt64)          COMMENT 'Parts of the code that the source does not determine (immutables, libraries, metadata hash): offset and length of each, bytes',
    runtime_match         LowCardinality(String) COMMENT 'Comparison of the code: perfect, partial (another metadata hash), or empty (no match)',
    creation_match        LowCardinality(String) COMMENT 'Comparison of the creation code, as runtime_match; empty also if the creation is unknown',
    name                  String                 COMMENT 'Name of the contract in its source',
    path                  String                 COMMENT 'Source file of the contract',
    language              LowCardinality(String) COMMENT 'Solidity, Yul or Vyper',
    compiler_version      LowCardinality(String) COMMENT 'Long version of the compiler, without a leading v',
    input_kind            LowCardinality(String) COMMENT 'Form in which the client sent the source: standard-json, single-file, metadata or sourcify',
    license               LowCardinality(String) COMMENT 'License that the client named; empty if none',
    settings              String                 COMMENT 'Compiler settings, JSON' CODEC(ZSTD(3)),
    sources               String                 COMMENT 'Source files by path, JSON' CODEC(ZSTD(6)),
    abi                   String                 COMMENT 'ABI, JSON' CODEC(ZSTD(3)),
    documentation         String                 COMMENT 'userdoc and devdoc of the compiler, JSON' CODEC(ZSTD(3)),
    storage_layout        String                 COMMENT 'Storage layout, JSON; null if the compiler does not report one' CODEC(ZSTD(3)),
    metadata              String                 COMMENT 'Metadata of the compiler, JSON; null if there is none' CODEC(ZSTD(3)),
    transformations       String                 COMMENT 'Transformations of Sourcify for runtime and creation code, JSON' CODEC(ZSTD(3)),
    libraries             String                 COMMENT 'Address of each linked library by its qualified name, JSON' CODEC(ZSTD(3)),
    constructor_arguments String                 COMMENT 'ABI-encoded constructor arguments, hex without 0x; empty if there are none or the creation is unknown' CODEC(ZSTD(3)),
    compiled_runtime      String                 COMMENT 'Compiled code before links and immutables, hex without 0x' CODEC(ZSTD(3)),
    compiled_creation     String                 COMMENT 'Compiled creation code, hex without 0x' CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY address   -- answers "the source of this contract"; the other columns are read by scan, there are few rows
COMMENT 'Source code of contracts that was compiled here and equals the code on the chain. Written by the API';

CREATE TABLE verification_jobs
(
    id            String                 COMMENT 'Identifier that the client got, 32 hex digits',
    version       UInt8                  COMMENT '0: started, 1: ended; the row with the highest version is valid',
    kind          LowCardinality(String) COMMENT 'source, or proxy (link of a proxy to its implementation)',
    address       FixedString(20)        COMMENT 'Address of the contract',
    state         LowCardinality(String) COMMENT 'pending, verified or failed',
    error_code    LowCardinality(String) COMMENT 'Reason of a failure for programs; else empty',
    message       String                 COMMENT 'Result in words; empty while the job is pending',
    started_at    DateTime64(3, 'UTC')   COMMENT 'Time of the request',
    ended_at      DateTime64(3, 'UTC')   COMMENT 'Time of the result; the time of the request while the job is pending'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id   -- answers "how did this job end"
TTL toDateTime(started_at) + INTERVAL 30 DAY
COMMENT 'Verifications of source code that clients requested in the last 30 days. Written by the API'
