-- name:    unfinalized_transfers
-- serves:  getToken, listTokenTransfers, listTransfers, compatible account.tokentx
-- params:  after: first block is the next one, unfinalized | through: last block
-- returns: token transfers (batch: items); unordered; may repeat rows
-- reads:   token_transfers of these blocks: one partition per block
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT
{{transfer_columns}}
FROM token_transfers
WHERE final = 0 AND block_number > {after:UInt64} AND block_number <= {through:UInt64}
LIMIT {limit:UInt32}
