-- Digest of exported rows, given as argument the text of one row's identity: the first 8 bytes of its SHA-256 as a big-endian
-- integer, summed modulo 2^64, as 16 hex digits. Whoever has the rows can recompute it; digests of parts add up to that of the whole.
leftPad(lower(hex(sum(reinterpretAsUInt64(reverse(substring(SHA256(@source), 1, 8)))))), 16, '0')
