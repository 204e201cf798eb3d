-- Addresses of one kind (such as wallet) in the registry file {manifest}, the list of named addresses. Empty without a file. Pass
-- the kind as @source.
SELECT assumeNotNull(address) FROM registry_entities WHERE manifest = toFixedString(unhex({manifest:String}), 32) AND kind = @source AND address IS NOT NULL
