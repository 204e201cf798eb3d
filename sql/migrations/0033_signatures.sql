-- 0033_signatures
-- why:     most contracts are not verified; a database of signatures names their calls, events and errors all the same
-- replay:  safe; equal keys replace each other
-- rebuild: bundled rows are loaded at the next start; rows of verified contracts come with the next verification

CREATE TABLE signatures
(
    selector    String                 COMMENT 'Function or error: first 4 bytes of the Keccak-256 hash of its signature; event: all 32 bytes (topic 0)',
    kind        LowCardinality(String) COMMENT 'function, event or error',
    signature   String                 COMMENT 'Name and types, such as transfer(address,uint256)',
    indexed     UInt32                 COMMENT 'Events: bit set of the indexed parameters, lowest bit first; otherwise 0',
    priority    UInt8                  COMMENT 'The row with the highest priority is valid: 3 bundled, 2 verified contract, 1 signature server',
    declaration String                 COMMENT 'Signature with parameter names, such as function transfer(address to, uint256 value)',
    origin      String                 COMMENT 'Package and licence of a bundled signature, address of a verified contract, or signature server'
)
ENGINE = ReplacingMergeTree(priority)
ORDER BY (selector, kind, signature, indexed)   -- answers "what is this selector"
COMMENT 'Functions, events and errors by selector. Bundled rows (sql/reference) are loaded by migrate, the others are written by the API';

CREATE TABLE reference_data
(
    name      String                 COMMENT 'File of sql/reference, without ending',
    sha256    String                 COMMENT 'SHA-256 of the file, hex',
    loaded_at DateTime64(3, 'UTC')   COMMENT 'Time of the load; the newest row is valid'
)
ENGINE = ReplacingMergeTree(loaded_at)
ORDER BY name   -- answers "is this file loaded"
COMMENT 'Files of sql/reference that are loaded. Written by migrate'
