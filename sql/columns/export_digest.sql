-- Digest of exported rows. @source, the argument of this fragment, is a text that identifies a row. Each row adds the first 8 bytes
-- of the SHA-256 of this text, as a big-endian integer. The digest is the sum modulo 2^64, as 16 hex digits.
-- Anyone who has the rows can recompute it, and the digests of parts of an export add up to the digest of the complete export.
leftPad(lower(hex(sum(reinterpretAsUInt64(reverse(substring(SHA256(@source), 1, 8)))))), 16, '0')
