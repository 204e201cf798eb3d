-- name:    journal_ranges
-- serves:  pipeline, rewind
-- params:  voided_since: version after which void ranges are returned too
-- returns: newest journal entry of each block range that is not void, lowest range first
-- reads:   range_journal, full scan
-- budget:  60 s, 1024 MiB, 50_000_000 rows
SELECT
    from_block, to_block, state, version, transaction_count, log_count, role_count, gas_used,
    concat('0x', lower(hex(parent_hash))) AS parent_hash, concat('0x', lower(hex(last_hash))) AS last_hash
FROM range_journal FINAL
WHERE state != 'void' OR version > {voided_since:UInt64}
ORDER BY from_block, to_block
