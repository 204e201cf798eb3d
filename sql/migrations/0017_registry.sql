-- 0017_registry
-- why:     documents of named sources (registry manifest, ecosystem directory), the entities of manifests, and labels by address
-- replay:  safe; entities are keyed by the hash of their manifest, a manifest is shown once its row in source_documents is there
-- rebuild: import the documents again

CREATE TABLE source_documents
(
    name         String               COMMENT 'registry_manifest or ecosystem_directory',
    sha256       FixedString(32)      COMMENT 'SHA-256 of the document; of a manifest: the key of its entities',
    source       String               COMMENT 'Where it came from: URL without credentials and query, or name of a file',
    version      String               COMMENT 'As the document says; empty where it does not',
    generated_at DateTime('UTC')      COMMENT 'When it was made, as it says itself',
    entry_count  UInt32               COMMENT 'Entities or entries in it',
    document     String               COMMENT 'Its bytes as they came' CODEC(ZSTD(3)),
    stored_at    DateTime64(3, 'UTC') COMMENT 'When it replaced the one before'
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY name   -- answers "what does this source say now"
COMMENT 'Newest document of every source. Written by pipeline/sources after everything that is read by its hash';

CREATE TABLE source_checks
(
    name         String               COMMENT 'As in source_documents',
    source       String               COMMENT 'Where it was looked for',
    checked_at   DateTime64(3, 'UTC') COMMENT 'When it was last looked for',
    succeeded_at DateTime64(3, 'UTC') COMMENT 'When it was last found and sound; 1970 when never',
    fault        String               COMMENT 'Why it was not, in words; empty where it was'
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY name   -- answers "is what we have still what the source says"
COMMENT 'When every source was last looked at. Written by pipeline/sources';

CREATE TABLE registry_entities
(
    manifest    FixedString(32)           COMMENT 'SHA-256 of the manifest that lists it',
    kind        Enum8('wallet' = 1, 'contract' = 2, 'asset' = 3, 'did' = 4, 'organization' = 5, 'application' = 6, 'ecosystem' = 7, 'partner' = 8, 'cord' = 9) COMMENT 'Kind, specification part 2',
    id          FixedString(32)           COMMENT 'Synthetic id',
    label       String                    COMMENT 'Name',
    address     Nullable(FixedString(20)) COMMENT 'Address on the chain; null where it has none',
    category    String                    COMMENT 'Free word; empty where there is none',
    description String                    COMMENT 'Text; empty where there is none',
    url         String                    COMMENT 'http(s) URL; empty where there is none',
    parent      Nullable(FixedString(32)) COMMENT 'Entity that it belongs to',
    attributes  String                    COMMENT 'JSON object of texts by name',
    written_at  DateTime('UTC')           COMMENT 'When the row was written'
)
ENGINE = ReplacingMergeTree
ORDER BY (manifest, kind, id)   -- answers "entities of this manifest and kind, by id"; by address see registry_labels
COMMENT 'Entities of manifests. Written by pipeline/sources before the manifest is shown; those of replaced ones go after an hour';

CREATE TABLE registry_labels
(
    manifest   FixedString(32) COMMENT 'As in registry_entities',
    address    FixedString(20) COMMENT 'Address',
    id         FixedString(32) COMMENT 'Entity that has it',
    kind       Enum8('wallet' = 1, 'contract' = 2, 'asset' = 3, 'did' = 4, 'organization' = 5, 'application' = 6, 'ecosystem' = 7, 'partner' = 8, 'cord' = 9) COMMENT 'Its kind',
    label      String          COMMENT 'Its name',
    category   String          COMMENT 'Free word; empty where there is none',
    written_at DateTime('UTC') COMMENT 'When the row was written'
)
ENGINE = ReplacingMergeTree
ORDER BY (manifest, address, id)   -- answers "what is this address called"
SETTINGS index_granularity = 256
COMMENT 'Names of addresses. Written by registry_labels__from_registry_entities_mv';

CREATE MATERIALIZED VIEW registry_labels__from_registry_entities_mv TO registry_labels AS
SELECT manifest, assumeNotNull(address) AS address, id, kind, label, category, written_at
FROM registry_entities
WHERE isNotNull(registry_entities.address);   -- the column: the alias of that name is never null
