-- name:    transfer_logs
-- orders:  asc, desc
-- serves:  listTransfers
-- params:  at_index: position of the last log read before
-- returns: logs with the topics of token transfers, columns as stored; may repeat rows
-- reads:   logs by primary key
-- budget:  10 s, 512 MiB, 20_002 rows of 32 MiB
SELECT
{{log_columns}}
FROM logs
WHERE {{visible}} AND {{behind(block_number, log_index)}} AND topic_count >= 3
  AND topic0 IN (unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'),
                 unhex('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'),
                 unhex('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'))
  AND ({standard:String} = '' OR {standard:String} =
      multiIf(topic0 != unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'), 'erc1155', topic_count = 4, 'erc721', 'erc20'))
ORDER BY {{in_order(block_number, log_index)}}
LIMIT {limit:UInt32}
