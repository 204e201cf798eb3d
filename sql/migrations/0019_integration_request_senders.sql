-- 0019_integration_request_senders
-- why:     an address has a few integration requests an hour, whichever process it reaches and however often they are restarted
-- replay:  safe; the same request has the same row
-- rebuild: from integration_requests; rows of the last hour count

CREATE TABLE integration_request_senders
(
    sender_network String               COMMENT 'IPv4 address, or /64 network of an IPv6 one, that sent a request',
    received_at    DateTime64(3, 'UTC') COMMENT 'When it came',
    place          String               COMMENT 'Of this sending: tells two of the same moment apart'
)
ENGINE = ReplacingMergeTree
ORDER BY (sender_network, received_at, place)   -- answers "how many of the last hour, in order"
TTL toDateTime(received_at) + INTERVAL 1 DAY
COMMENT 'Who sent integration requests lately. Written by the API before it keeps a request';
