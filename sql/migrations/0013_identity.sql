-- why:     who holds which wallets and keys: each wallet proved by its own signature, of each key only a hash
-- writer:  the API; every row can be written again, the newest version counts
-- replay:  safe

CREATE TABLE linked_wallets
(
    identity  String               COMMENT 'wallet:0x… or oidc:<issuer>#<subject>',
    wallet    FixedString(20)      COMMENT 'Linked by its own signature',
    is_linked UInt8                COMMENT '0: unlinked',
    linked_at DateTime64(3, 'UTC') COMMENT 'When',
    version   UInt64               COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (identity, wallet)   -- answers "which wallets are linked to this identity"
SETTINGS index_granularity = 256
COMMENT 'Wallets of identities. Written by api/auth/linked-wallets.ts';

CREATE TABLE sign_in_uses
(
    nonce   String          COMMENT 'Nonce of a signed message that was used',
    use     String          COMMENT 'Random: who used it. Two uses of one nonce are both refused',
    used_at DateTime('UTC') COMMENT 'When'
)
ENGINE = ReplacingMergeTree
ORDER BY (nonce, use)   -- answers "was this nonce used, and by whom else"
TTL used_at + INTERVAL 1 DAY
COMMENT 'Nonces that are spent; they expire by themselves long before a row does. Written by api/auth/nonces.ts';

CREATE TABLE api_keys
(
    secret_hash FixedString(32)      COMMENT 'SHA-256 of the whole key: the key itself is nowhere',
    id          String               COMMENT 'Random, by which it is listed and revoked',
    owner       String               COMMENT 'Identity that minted it',
    name        String               COMMENT 'Its owner’s word for it',
    prefix      String               COMMENT 'First characters of the key',
    last4       String               COMMENT 'Last characters of the key',
    created_at  DateTime64(3, 'UTC') COMMENT 'When it was minted',
    revoked_at  DateTime64(3, 'UTC') COMMENT 'When it was revoked; 1970 while it is active',
    version     UInt64               COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY secret_hash   -- answers "whose key is this"; of one owner all are read, they are few
SETTINGS index_granularity = 256
COMMENT 'API keys. Written by api/auth/key-store.ts';

CREATE TABLE api_key_usage
(
    key_id  String               COMMENT 'Key',
    day     Date                 COMMENT 'UTC',
    counter String               COMMENT 'Process that counted, random at its start: each counts for itself, from 0',
    calls   UInt64               COMMENT 'Requests that this process has seen on that day so far',
    cost    UInt64               COMMENT 'The same, weighed by route',
    used_at DateTime64(3, 'UTC') COMMENT 'The last of them'
)
ENGINE = ReplacingMergeTree(used_at)
ORDER BY (key_id, day, counter)   -- answers "how much was this key used"
SETTINGS index_granularity = 256
COMMENT 'Usage of API keys. Written by api/auth/key-usage.ts every second';

CREATE TABLE checkpoints
(
    number     UInt64               COMMENT 'From 1 on; two with one number are a fork of the chain of checkpoints',
    digest     FixedString(32)      COMMENT 'Keccak-256 of the document',
    document   String               COMMENT 'JSON: block, hash, counts and digests by table, digest of the checkpoint before',
    signature  String               COMMENT 'Of the document by the key of the service, EIP-191',
    signer     FixedString(20)      COMMENT 'Address of that key',
    block      UInt64               COMMENT 'Up to which it counts',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made'
)
ENGINE = ReplacingMergeTree
ORDER BY (number, digest)   -- answers "what did the index hold then"
COMMENT 'Anchors of the index. Written by api/checkpoints/make-checkpoint.ts';
