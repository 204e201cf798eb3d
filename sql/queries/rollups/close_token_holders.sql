-- name:    close_token_holders
-- serves:  rollups
-- params:  to_block: last block of the complete buckets that start at from_block | base_block: start of the rollup window of from_block
-- returns: nothing; writes subject_buckets: change of the number of holders of each token
-- reads:   logs by primary key, from the start of the rollup window; token_balance_eras_by_holder (earlier windows) for the
--          holders found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO subject_buckets (resolution, measure, subject, bucket, amount)
SELECT {resolution:String} AS resolution, 'token_holders' AS measure, token AS subject, bucket, amount
FROM ({{holder_steps({{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND block_number BETWEEN {base_block:UInt64} AND {to_block:UInt64}
    LIMIT 1 BY block_number, log_index))}})}})
