CREATE TABLE block (id text PRIMARY KEY, number int4 NOT NULL, miner text NOT NULL, timestamp int8 NOT NULL);
CREATE TABLE transaction (id text PRIMARY KEY, block int4 NOT NULL, sender text NOT NULL, recipient text, status int4 NOT NULL,
    value numeric NOT NULL, gas_used numeric NOT NULL, input text NOT NULL);
CREATE TABLE log (id text PRIMARY KEY, block int4 NOT NULL, address text NOT NULL, topics text[] NOT NULL, data text NOT NULL, tx_hash text NOT NULL);
CREATE INDEX ON transaction (sender);
CREATE INDEX ON transaction (recipient);
CREATE INDEX ON log (address);
