-- name:    checkpoints
-- serves:  postCheckpoint, listCheckpoints, verify
-- params:  before_number: exclusive
-- returns: signed checkpoints (counts and digests of the indexed tables up to a block), newest first
-- reads:   checkpoints by primary key, backwards
-- budget:  10 s, 256 MiB, 10_000 rows
SELECT number, concat('0x', lower(hex(checkpoints.digest))) AS digest, document,
    signature, concat('0x', lower(hex(checkpoints.signer))) AS signer
FROM checkpoints FINAL
WHERE number >= {from_number:UInt64} AND number < {before_number:UInt64}
ORDER BY number DESC, checkpoints.digest
LIMIT {limit:UInt32}
