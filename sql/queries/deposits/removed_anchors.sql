-- name:    removed_anchors
-- serves:  streamAddressSet, api
-- params:  after: sequence number of an event | hashes: block hashes, 64 hex digits each
-- returns: given blocks that were removed from the chain after the event, with the number of their last removal. A block may be
--          on the chain again
-- reads:   anchor_events by primary key. The API runs this only while rows of a block are hidden
-- budget:  5 s, 256 MiB, 1_000 rows
SELECT concat('0x', lower(hex(hash))) AS block_hash, max(anchor_events.sequence) AS last_sequence
FROM anchor_events
WHERE anchor_events.sequence > {after:UInt64} AND kind = 'removed' AND hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32))
GROUP BY hash
