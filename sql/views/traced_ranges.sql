-- view:   traced_ranges
-- what:   ranges of finalized blocks whose internal calls are completely stored
-- fast:   any filter
-- base:   traced_ranges
SELECT from_block, least(to_block, {head:UInt64}) AS to_block
FROM traced_ranges FINAL
WHERE state = 'done' AND from_block <= {head:UInt64}
