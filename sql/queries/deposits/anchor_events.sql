-- name:    anchor_events
-- serves:  streamHeads, streamAddressSet
-- params:  after: sequence number of the last event already read
-- returns: events that added a block to the chain or removed one, in order
-- reads:   anchor_events by primary key
-- budget:  5 s, 256 MiB, 1_000 rows
SELECT sequence, kind AS kind_name, block_number, concat('0x', lower(hex(hash))) AS block_hash,
    concat('0x', lower(hex(parent_hash))) AS parent, toUInt32(timestamp) AS time
FROM anchor_events
WHERE sequence > {after:UInt64}
ORDER BY sequence
LIMIT 1 BY sequence
LIMIT {limit:UInt32}
