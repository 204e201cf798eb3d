-- name:    journal_ranges
-- serves:  pipeline, rewind
-- returns: newest journal entry of every block range, lowest range first. Includes void entries, because the next version of a
--          range must exceed theirs
-- reads:   range_journal, full scan
-- budget:  60 s, 1024 MiB, 10_000_000 rows
SELECT
    from_block, to_block, state, version, transaction_count, log_count, role_count, gas_used,
    concat('0x', lower(hex(parent_hash))) AS parent_hash, concat('0x', lower(hex(last_hash))) AS last_hash
FROM range_journal FINAL
ORDER BY from_block, to_block
