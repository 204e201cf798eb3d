-- Addresses of the entities of the kind that the argument names, of manifest {manifest}; grain: one address; empty where there is no manifest.
SELECT assumeNotNull(address) FROM registry_entities WHERE manifest = toFixedString(unhex({manifest:String}), 32) AND kind = @source AND address IS NOT NULL
