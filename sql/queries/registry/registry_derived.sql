-- name:    registry_derived
-- serves:  getRegistryEntity
-- params:  kind: wallet or contract
-- returns: one row: 1 if the address sent a transaction (kind wallet) or a transaction created it (kind contract), else 0
-- reads:   address_roles or contract_creations by primary key
-- budget:  5 s, 512 MiB, 1 row
SELECT
    if({kind:String} = 'wallet',
       (SELECT count() FROM (SELECT 1 FROM address_roles WHERE address = unhex({address:String}) AND {{visible}} AND bitTest(roles, 0) LIMIT 1)),
       (SELECT count() FROM (SELECT 1 FROM contract_creations WHERE address = unhex({address:String}) AND {{visible}} LIMIT 1))) AS found
