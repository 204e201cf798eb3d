import { onchainTable } from 'ponder';

export const block = onchainTable('block', (t) => ({
  number: t.bigint().primaryKey(),
  hash: t.hex().notNull(),
  timestamp: t.bigint().notNull(),
}));

export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(),
  token: t.hex().notNull(),
  sender: t.hex().notNull(),
  recipient: t.hex().notNull(),
  value: t.bigint().notNull(),
  txHash: t.hex().notNull(),
  timestamp: t.bigint().notNull(),
}));
