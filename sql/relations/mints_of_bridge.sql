-- Mints of native currency by the bridge contract {bridge}: one row per event Migrated(bytes32 indexed nullifier, uint256
-- indexed originChain, address indexed recipient, uint256 amount, bytes32 burnReference).
SELECT block_number, log_index, timestamp, topic1 AS nullifier, reinterpretAsUInt256(reverse(topic2)) AS origin,
    reinterpretAsUInt256(reverse(substring(data, 1, 32))) AS amount
FROM logs
WHERE {{visible}} AND topic_count = 4 AND length(data) = 64 AND (block_number, log_index) IN
(
    SELECT block_number, log_index FROM logs_by_address
    WHERE address = unhex({bridge:String}) AND {{visible}}
      AND topic0 = unhex('13101ddc1d0398deacb70b791b2b5c2c69943e84628734e356748211cd50fc17')
)
LIMIT 1 BY block_number, log_index
