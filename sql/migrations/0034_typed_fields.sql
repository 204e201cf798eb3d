-- 0034_typed_fields
-- why:     the access list, the blob hashes and the authorizations of a transaction are shown, not only counted
-- replay:  safe; the column is added once
-- rebuild: fetch again from the node; blocks that were stored before keep an empty text

ALTER TABLE transactions
    ADD COLUMN IF NOT EXISTS typed_fields String DEFAULT '' COMMENT 'JSON with the non-empty fields accessList, blobVersionedHashes and authorizationList (EIP-2930, 4844, 7702), as in JSON-RPC; empty: type 0, or stored by a version that did not keep them';
