-- Digest of exported rows, 16 hex digits: the sum, modulo 2^64, of the first 8 bytes (big-endian) of the SHA-256 of each row's
-- text. @source stands for a text that identifies a row.
-- Anyone who has the rows can recompute the digest. The digests of parts of an export add up to the digest of the complete
-- export.
leftPad(lower(hex(sum(reinterpretAsUInt64(reverse(substring(SHA256(@source), 1, 8)))))), 16, '0')
