-- name:    last_anchor_event
-- serves:  streamHeads, streamAddressSet
-- returns: sequence number of the last event that added or removed a block, or no row
-- reads:   anchor_events by primary key, backwards
-- budget:  5 s, 256 MiB, 1 row
SELECT sequence FROM anchor_events ORDER BY sequence DESC LIMIT 1
