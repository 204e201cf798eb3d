-- The `to` address or the created contract of a transaction. Null if the creation failed: a node may name an address, but no
-- contract is there. The zero address if the node named no contract.
if(to IS NULL AND ifNull(status, 1) = 0, NULL, ifNull({{recipient}}, toFixedString('', 20)))
