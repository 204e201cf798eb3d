-- view:   account_transactions
-- what:   transactions by account: one row per address that sent, received or was created by the transaction, or emitted a log in it
-- fast:   filters on address, then on block_number
-- base:   address_roles
-- column: method_id First 4 bytes of the call data, hex with 0x; empty if the call data is shorter
SELECT address, block_number, tx_index, role, roles, tx_hash, block_hash, timestamp, type, from, to, contract_address, value, nonce, gas_limit,
    gas_used, gas_price, fee, status, if(empty(address_roles.method_id), '', concat('0x', lower(hex(address_roles.method_id)))) AS method_id
FROM address_roles FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
