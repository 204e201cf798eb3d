-- 0036_nft_metadata
-- why:     pages show names, traits and pictures of NFTs; their contracts only return a URI
-- replay:  safe; a row is a complete state, and the newest row of a key is valid
-- rebuild: derivable: the pipeline fetches the metadata again when a client asks for it

CREATE TABLE nft_requests
(
    contract     FixedString(20)     COMMENT 'Contract of the token',
    token_id     UInt256             COMMENT 'Token id',
    standard     Enum8('erc721' = 2, 'erc1155' = 3) COMMENT 'Standard of the token, which names the function that returns the URI',
    requested_at DateTime('UTC')     COMMENT 'Time of the last request'
)
ENGINE = ReplacingMergeTree(requested_at)
ORDER BY (contract, token_id)   -- answers "which metadata is missing"; all rows are read, old ones expire
TTL requested_at + INTERVAL 1 DAY
SETTINGS index_granularity = 256
COMMENT 'NFTs whose metadata clients asked for. Written by the API';

CREATE TABLE nft_metadata
(
    contract     FixedString(20)        COMMENT 'Contract of the token',
    token_id     UInt256                COMMENT 'Token id',
    state        LowCardinality(String) COMMENT 'found; none: the contract returns no URI; failed: see error',
    uri          String                 COMMENT 'URI that the contract returned, at most 2,048 characters',
    name         String                 COMMENT 'Name of the token; empty if there is none',
    description  String                 COMMENT 'Description; empty if there is none' CODEC(ZSTD(3)),
    traits       String                 COMMENT 'Traits, JSON: [[name, value], …]' CODEC(ZSTD(3)),
    picture_uri  String                 COMMENT 'URI of the picture, at most 2,048 characters',
    picture_type LowCardinality(String) COMMENT 'Media type of the picture, found by its first bytes; empty if there is no valid picture',
    picture      String                 COMMENT 'Picture, base64; empty if there is no valid picture' CODEC(ZSTD(1)),
    error        String                 COMMENT 'Why metadata or picture are missing; empty if both were found',
    attempts     UInt8                  COMMENT 'Number of failed attempts in a row',
    fetched_at   DateTime64(3, 'UTC')   COMMENT 'Time of the fetch',
    version      UInt64                 COMMENT 'Time of the fetch, Unix milliseconds; the row with the highest version is valid'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (contract, token_id)   -- answers "the metadata of this token"
TTL toDateTime(fetched_at) + INTERVAL 90 DAY
SETTINGS index_granularity = 64
COMMENT 'Metadata and pictures of NFTs. Written by pipeline/jobs/nft-metadata.ts'
