-- name:    coin_change
-- serves:  getAccountSnapshot
-- params:  accounts: one address | from_block: first block whose movements count
-- returns: one row: native currency that the account received minus what it sent, wei
-- reads:   as movements; blocks of the range
-- budget:  30 s, 2048 MiB, 1 row
SELECT toString(sum(if(is_in = 1, toInt256(amount), -toInt256(amount)))) AS wei
FROM ({{account_movements}})
WHERE token = ''
