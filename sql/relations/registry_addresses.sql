-- Addresses of the kind @source (such as 'wallet') in the registry file {manifest}, the list of named addresses. Empty without
-- a file.
SELECT assumeNotNull(address) FROM registry_entities WHERE manifest = toFixedString(unhex({manifest:String}), 32) AND kind = @source AND address IS NOT NULL
