-- Decodes transfers of ERC-20, ERC-721 and ERC-1155 tokens from logs: one row per transfer; an ERC-1155 batch has one row per item.
-- Pass a table or subquery of logs as @source. Ignores logs with the topic of a transfer, but another number of topics or length of
-- data.
SELECT
    final, block_number, log_index,
    toUInt32(item.1) AS batch_index,
    tx_index, tx_hash, timestamp,
    address AS token,
    CAST(multiIf(is_batch OR is_single, 3, topic_count = 4, 2, 1), 'Enum8(\'erc20\' = 1, \'erc721\' = 2, \'erc1155\' = 3)') AS standard,
    toFixedString(substring(if(is_batch OR is_single, topic2, topic1), 13, 20), 20) AS from,
    toFixedString(substring(if(is_batch OR is_single, topic3, topic2), 13, 20), 20) AS to,
    item.2 AS token_id,
    item.3 AS value
FROM
(
    SELECT
        *,
        topic0 = unhex('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62') AS is_single,
        topic0 = unhex('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') AS is_batch,
        -- words of the batch: offset of ids, offset of values, then the two arrays with their lengths in front
        if(is_batch, intDiv(reinterpretAsUInt64(reverse(substring(data, 25, 8))), 32), 0) AS ids_word,
        if(is_batch, intDiv(reinterpretAsUInt64(reverse(substring(data, 57, 8))), 32), 0) AS values_word,
        intDiv(length(data), 32) AS words,
        if(is_batch AND ids_word < words AND values_word < words,
           least(
               reinterpretAsUInt64(reverse(substring(data, ids_word * 32 + 25, 8))),
               reinterpretAsUInt64(reverse(substring(data, values_word * 32 + 25, 8))),
               toUInt64(words - ids_word - 1),
               toUInt64(words - values_word - 1)),
           toUInt64(0)) AS batch_length,
        multiIf(
            is_batch, arrayMap(i -> (
                i,
                reinterpretAsUInt256(reverse(substring(data, (ids_word + 1 + i) * 32 + 1, 32))),
                reinterpretAsUInt256(reverse(substring(data, (values_word + 1 + i) * 32 + 1, 32)))), range(batch_length)),
            is_single, [(toUInt64(0), reinterpretAsUInt256(reverse(substring(data, 1, 32))), reinterpretAsUInt256(reverse(substring(data, 33, 32))))],
            topic_count = 4, [(toUInt64(0), reinterpretAsUInt256(reverse(topic3)), toUInt256(1))],
            [(toUInt64(0), toUInt256(0), reinterpretAsUInt256(reverse(substring(data, 1, 32))))]) AS items
    FROM @source
    WHERE (topic0 = unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
            AND ((topic_count = 3 AND length(data) = 32) OR (topic_count = 4 AND length(data) = 0)))
       OR (topic0 = unhex('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62') AND topic_count = 4 AND length(data) = 64)
       OR (topic0 = unhex('4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb') AND topic_count = 4 AND length(data) >= 128)
)
ARRAY JOIN items AS item
