-- 0044_foreign_call_protection
-- why:     verifications ignored the first 21 bytes of libraries, so other code could be verified as a library
-- replay:  safe; deletes what newer versions do not write. Owners can verify their contracts again

ALTER TABLE verified_contracts DELETE
WHERE JSONExtractString(transformations, 'runtimeTransformations', 'values', 'callProtection')
    NOT IN ('', concat('0x', repeat('00', 20)), concat('0x', lower(hex(address)))) SETTINGS mutations_sync = 2;
