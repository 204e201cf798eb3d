-- 0028_withdrawal_hashes
-- why:     a withdrawal was looked for by reading all of them
-- replay:  safe; the index is set once
-- rebuild: not derivable: it is what clients sent

ALTER TABLE withdrawals
    ADD INDEX IF NOT EXISTS by_hash hash TYPE bloom_filter(0.001) GRANULARITY 1
