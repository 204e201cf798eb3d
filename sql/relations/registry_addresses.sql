-- Addresses in the registry file {manifest} (the list of named wallets and contracts) whose entity has the kind given as argument.
-- Empty without a file.
SELECT assumeNotNull(address) FROM registry_entities WHERE manifest = toFixedString(unhex({manifest:String}), 32) AND kind = @source AND address IS NOT NULL
