-- name:    knot_logs
-- serves:  pipeline
-- params:  to_block: last block, inclusive; it is finalized
-- returns: logs of the block range whose first topic is one of `topics`, in chain order; may repeat rows
-- reads:   logs by primary key
-- budget:  60 s, 2048 MiB, 5_000_000 rows
SELECT block_number, tx_index, log_index, address, topic_count, topic0, topic1, topic2, topic3,
    substring(data, 1, if(topic0 = unhex('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'), 1048576, 1024)) AS data
FROM logs
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND topic0 IN (SELECT toFixedString(unhex(arrayJoin({topics:Array(String)})), 32))
ORDER BY block_number, log_index
