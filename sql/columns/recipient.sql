-- Recipient of a transaction's value: the `to` address, or the created contract.
ifNull(to, contract_address)
