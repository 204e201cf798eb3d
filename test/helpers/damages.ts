/** Statements that damage stored rows, each with the message that `verify` must report. */
export const damages: [string, RegExp][] = [
  [
    "INSERT INTO transactions SELECT * REPLACE (toFixedString('x', 32) AS hash, 4000000 AS tx_index) FROM transactions WHERE block_number = 100 LIMIT 1",
    /is stored, but not on the chain/,
  ],
  [
    'INSERT INTO address_roles SELECT * REPLACE (7 AS roles, tx_index + 1000 AS tx_index) FROM address_roles WHERE block_number = 101 LIMIT 1',
    /is stored, but not on the chain/,
  ],
  [
    "INSERT INTO logs SELECT * REPLACE ('x' AS data, log_index + 100000 AS log_index) FROM logs WHERE block_number = 50 LIMIT 1",
    /is stored, but not on the chain/,
  ],
  [
    'INSERT INTO account_counter_eras SELECT * REPLACE (transaction_count + 1 AS transaction_count) FROM account_counter_eras LIMIT 1',
    /content differs/,
  ],
];
