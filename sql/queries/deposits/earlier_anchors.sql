-- name:    earlier_anchors
-- serves:  streamAddressSet
-- params:  before UInt64 sequence, exclusive | look_back UInt64 events | from_block UInt64 | to_block UInt64 both inclusive
-- returns: blocks that had become the head before an event, in order
-- reads:   anchor_events by key
-- budget:  5 s, 256 MiB, 20_000 rows
SELECT sequence, block_number, concat('0x', lower(hex(hash))) AS block_hash
FROM anchor_events
WHERE sequence < {before:UInt64} AND sequence + {look_back:UInt64} >= {before:UInt64} AND kind = 'added'
  AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY sequence
LIMIT 1 BY sequence
