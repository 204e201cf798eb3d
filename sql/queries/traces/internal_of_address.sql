-- name:    internal_of_address
-- orders:  asc, desc
-- serves:  listInternalTransfers, compatible account.txlistinternal
-- params:  side: from, to or empty | counterparty: other side of the call, or empty
-- returns: internal calls from or to the address; may repeat rows
-- reads:   internal_calls_by_address by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{internal_columns}}
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND {{visible}}
  AND {{behind(block_number, tx_index, call_index)}}
  AND if({side:String} = '', 1, if({side:String} = 'from', from, ifNull(to, toFixedString('', 20))) = unhex({address:String}))
  AND if({counterparty:String} = '', 1,
    if({side:String} != 'to' AND from = address, ifNull(to = unhex({counterparty:String}), 0), from = unhex({counterparty:String})))
  AND value >= {min_value:UInt256}
ORDER BY {{in_order(block_number, tx_index, call_index)}}
LIMIT {limit:UInt32}
