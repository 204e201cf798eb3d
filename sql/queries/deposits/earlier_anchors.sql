-- name:    earlier_anchors
-- serves:  streamAddressSet
-- params:  before: sequence number of an event | look_back: number of earlier events to read
-- returns: last block that was added to the chain before the given event, per height
-- reads:   anchor_events by primary key
-- budget:  10 s, 1024 MiB, 1_000_000 rows
SELECT max(sequence) AS sequence, block_number, concat('0x', lower(hex(argMax(hash, anchor_events.sequence)))) AS block_hash
FROM anchor_events
WHERE anchor_events.sequence < {before:UInt64} AND anchor_events.sequence + {look_back:UInt64} >= {before:UInt64} AND kind = 'added'
  AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
GROUP BY block_number
ORDER BY block_number
