-- 0012_deposits
-- why:     what deposit monitors and withdrawal senders need to be sure of: every step of the head as an event, what reorgs
--          took away, sets of addresses to watch, and withdrawals that are waited for
-- replay:  safe; every table is keyed by content or keeps the newest version of its key
-- rebuild: anchor_events and orphaned_transactions can't be rebuilt: the chain forgets. The rest is what clients sent

CREATE TABLE anchor_events
(
    sequence     UInt64          COMMENT 'Place in the one order of events, from 1, without gaps',
    kind         Enum8('added' = 1, 'removed' = 2) COMMENT 'The block became the head, or was taken away from it',
    block_number UInt64          COMMENT 'Height',
    hash         FixedString(32) COMMENT 'Block hash',
    parent_hash  FixedString(32) COMMENT 'Hash of the block before',
    timestamp    DateTime('UTC') COMMENT 'Time in the header',
    written_at   DateTime64(3, 'UTC') COMMENT 'When the event was written'
)
ENGINE = ReplacingMergeTree
ORDER BY sequence   -- answers "what has happened since this event"
SETTINGS index_granularity = 256
COMMENT 'Steps of the head in order. Written by pipeline/follow/anchor-log.ts after the state that shows them; read by streams and /reorgs';

CREATE TABLE orphaned_transactions
(
    block_hash       FixedString(32) COMMENT 'Block that a reorg removed',
    tx_index         UInt32          COMMENT 'Position in it',
    block_number     UInt64          COMMENT 'Its height',
    hash             FixedString(32) COMMENT 'Transaction hash',
    from             FixedString(20) COMMENT 'Sender',
    to               Nullable(FixedString(20)) COMMENT 'Recipient; null for a creation',
    contract_address Nullable(FixedString(20)) COMMENT 'Created contract',
    value            UInt256         COMMENT 'Value, wei',
    nonce            UInt64          COMMENT 'Nonce of the sender',
    status           Nullable(UInt8) COMMENT 'Receipt status in that block',
    timestamp        DateTime('UTC') COMMENT 'Time of that block'
)
ENGINE = ReplacingMergeTree
ORDER BY (block_hash, tx_index)   -- answers "what was in this removed block"
SETTINGS index_granularity = 256
COMMENT 'Transactions of blocks that were taken away. Written by pipeline/store/keep-orphans.ts before they are';

CREATE TABLE address_sets
(
    id         String               COMMENT 'Random, by which it is asked for',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made',
    used_at    DateTime64(3, 'UTC') COMMENT 'When it was last asked for, by the hour',
    is_removed UInt8                COMMENT '1: gone',
    version    UInt64               COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id   -- answers "is there such a set"
COMMENT 'Sets of addresses that are watched together. Written by the API';

CREATE TABLE address_set_members
(
    set_id    String          COMMENT 'Set',
    address   FixedString(20) COMMENT 'Member',
    is_member UInt8           COMMENT '0: taken out',
    version   UInt64          COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (set_id, address)   -- answers "which of these addresses are in the set"
SETTINGS index_granularity = 256
COMMENT 'Members of address sets. Written by the API';

CREATE TABLE withdrawals
(
    hash         FixedString(32)      COMMENT 'Transaction hash',
    sender       FixedString(20)      COMMENT 'Sender',
    nonce        UInt64               COMMENT 'Nonce of the sender',
    raw          String               COMMENT 'Signed transaction, raw bytes; empty where only its hash was told',
    created_at   DateTime64(3, 'UTC') COMMENT 'When it was told first',
    broadcast_at DateTime64(3, 'UTC') COMMENT 'When it was last sent to the writer; 1970 when never',
    broadcast    String               COMMENT 'What the writer said then',
    version      UInt64               COMMENT 'Grows with every change, Unix milliseconds'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (sender, nonce, hash)   -- answers "what was told of this sender and nonce"; by hash all are read, they are few
COMMENT 'Withdrawals that are waited for. Written by the API';
