-- view:   labels
-- what:   names of addresses from the registry, at the time of the query; empty if the service has no registry
-- fast:   filters on address
-- base:   registry_labels
SELECT address, id, kind, label, category
FROM registry_labels FINAL
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
