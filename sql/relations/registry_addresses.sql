-- Addresses of the entities of the kind given as argument, of manifest {manifest}. grain: one address; empty without a manifest.
SELECT assumeNotNull(address) FROM registry_entities WHERE manifest = toFixedString(unhex({manifest:String}), 32) AND kind = @source AND address IS NOT NULL
