-- Account that a transaction reached: the `to` address or the created contract; null if the creation failed, since nothing is at
-- the address that a node may name then; the zero address if the node named none.
if(to IS NULL AND ifNull(status, 1) = 0, NULL, ifNull({{recipient}}, toFixedString('', 20)))
