-- Columns of an exported transaction that the tables `transactions` and `address_roles` share. @source stands for the hash
-- column, whose name differs.
block_number AS blockNumber, tx_index AS txIndex, concat('0x', lower(hex(@source))) AS txHash, concat('0x', lower(hex(block_hash))) AS blockHash,
    toUInt32(timestamp) AS timestamp, type, concat('0x', lower(hex(from))) AS "from", if(to IS NULL, NULL, concat('0x', lower(hex(to)))) AS "to",
    if(contract_address IS NULL OR status = 0, NULL, concat('0x', lower(hex(contract_address)))) AS contractCreated, toString(value) AS value, nonce,
    gas_limit AS gasLimit, gas_used AS gasUsed, toString(gas_price) AS gasPrice, toString(fee) AS fee, status
