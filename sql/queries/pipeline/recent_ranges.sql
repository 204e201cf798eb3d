-- name:    recent_ranges
-- serves:  pipeline
-- params:  started_at: Unix time at which the database started | seconds: age of the oldest entry, relative to the newest one before that time
-- returns: first and last block of each range stored shortly before the database ended, or later; lowest range first
-- reads:   range_journal, full scan
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT from_block, to_block
FROM range_journal FINAL
WHERE state = 'done' AND written_at >= (SELECT max(written_at) FROM range_journal WHERE written_at < toDateTime({started_at:UInt32}))
    - toIntervalSecond({seconds:UInt32})
ORDER BY from_block
