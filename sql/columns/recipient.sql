-- Who receives the value of a transaction: its recipient, or the contract that it creates.
ifNull(to, contract_address)
