-- 0018_integration_requests
-- why:     what exchanges and other partners ask for, kept until somebody answers them
-- replay:  safe; a request that is sent again with its key has the same id and the same row
-- rebuild: not derivable; it is what partners sent

CREATE TABLE integration_requests
(
    id              String               COMMENT 'What the sender was told',
    idempotency_key String               COMMENT 'SHA-256 of the key of the sender, hex; empty where none was sent',
    body_sha256     String               COMMENT 'SHA-256 of the request in canonical form, hex',
    organization    String               COMMENT 'Who asks',
    contact_email   String               COMMENT 'Where to answer',
    website         String               COMMENT 'Its website',
    type            LowCardinality(String) COMMENT 'exchange, wallet, custodian or data',
    chain_use       String               COMMENT 'What the chain is to be used for',
    message         String               COMMENT 'Anything else',
    expected_volume String               COMMENT 'As told; empty where it was not',
    sender_address  String               COMMENT 'IP address that sent it',
    received_at     DateTime64(3, 'UTC') COMMENT 'When it came first'
)
ENGINE = ReplacingMergeTree
ORDER BY id   -- answers "was this one sent before"; all are read to list them, they are few
COMMENT 'Integration requests. Written by the API';
