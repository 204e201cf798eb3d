-- Digest of exported rows; the argument is the text of a row's identity. Per row: the first 8 bytes of its SHA-256 as a big-endian
-- integer; summed modulo 2^64, as 16 hex digits. Anyone with the rows can recompute it, and digests of parts add up to the total.
leftPad(lower(hex(sum(reinterpretAsUInt64(reverse(substring(SHA256(@source), 1, 8)))))), 16, '0')
