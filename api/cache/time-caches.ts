/** Caches whose values expire only by age. */
import type { CacheSpec } from './cache-spec.ts';

const second = 1_000;
const hour = 3_600 * second;

export const timeCaches = {
  accounts: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 60 * second,
    keeps: "accounts' state at a block, from a node",
    saves: 'three node calls; nothing if the node answers at once',
  },
  contracts: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 600 * second,
    keeps: 'results of contract calls, from a node',
    saves: 'a node call; nothing if the node answers at once',
  },
  traces: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: hour,
    keeps: 'traces of transactions, from a node',
    saves: 'work of the node; if the node answers at once: 1.4 → 0.8 ms',
  },
  pending: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: hour,
    keeps: 'pending transactions that clients asked for',
    saves: 'nothing: with it, the service can say that a transaction was replaced or dropped',
  },
  walks: {
    scope: 'time',
    mebibytes: 64,
    ttlMs: 15 * second,
    keeps: 'next rows of a history that a client pages through',
    saves: 'a following page of history: 22 → 3 ms',
  },
  recent_charts: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 15 * second,
    keeps: 'charts of the home page',
    saves: 'home page after a new block: 128 → 115 ms',
  },
  address_labels: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: hour,
    keeps: 'labels of addresses, by address and document',
    saves: 'names of a page: 14 ms for labels, 14 ms for names of tokens and contracts',
  },
  own_names: {
    scope: 'time',
    mebibytes: 8,
    ttlMs: 30 * second,
    keeps: 'names of tokens and verified contracts, by address, for pages',
    saves: 'see `address_labels`',
  },
  circulating: {
    scope: 'time',
    mebibytes: 1,
    ttlMs: 15 * second,
    keeps: 'circulating supply, for the market cap of the home page',
    saves: 'three statements per state: 340 ms',
  },
  coin_price: {
    scope: 'time',
    mebibytes: 1,
    ttlMs: 60 * second,
    keeps: 'price of the coin, with which pages show amounts in dollars',
    saves: 'the statement trade_buckets per page after a new block: 118 ms',
  },
  signatures: {
    scope: 'time',
    mebibytes: 8,
    ttlMs: 60 * second,
    keeps: 'known functions, events and errors by selector',
    saves: 'newest transactions after a new block: 58 → 53 ms; 20 concurrent: 517 → 423 ms',
  },
  self_checks: {
    scope: 'time',
    mebibytes: 1,
    ttlMs: 3 * second,
    keeps: 'health of a node',
    saves: 'not measured: limits the checks to five node calls in 3 s',
  },
  label_maps: {
    scope: 'time',
    mebibytes: 128,
    ttlMs: 24 * hour,
    keeps: 'address labels of a registry manifest, compressed',
    saves: 'labels of 20,000 entities: 177 → 40 ms; 20 concurrent: 4.8 → 0.9 s',
  },
  directories: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 24 * hour,
    keeps: 'parsed ecosystem directory (list of projects)',
    saves: 'a page of an ecosystem directory (list of projects) with 500 entries: 11 → 1 ms',
  },
  emission_totals: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 24 * hour,
    keeps: 'total emission up to a block, by block hash',
    saves: 'not measured: one node call per end of a bucket',
  },
  api_keys: {
    scope: 'time',
    mebibytes: 32,
    ttlMs: 4 * second,
    keeps: 'API keys by hash',
    saves: 'a block requested with a key: 22 → 16 ms',
  },
  wallets: {
    scope: 'time',
    mebibytes: 32,
    ttlMs: 4 * second,
    keeps: 'wallets of an identity',
    saves: 'a block requested with a key: 19 → 15 ms',
  },
  checksums: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 24 * hour,
    keeps: 'checksummed addresses',
    saves: 'transactions page, 20 concurrent: 374 → 333 ms',
  },
} as const satisfies Record<string, CacheSpec>;
