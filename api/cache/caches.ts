/** Every cache of the API: what it keeps, for how long, how much of it, and what that saves. */

/**
 * What a value depends on beside its key. snapshot: one state of the chain. generation: the closed eras of an epoch. window:
 * the epoch alone, since no visible block is replaced within it. time: nothing of the chain; it is kept for a time.
 */
type Scope = 'snapshot' | 'generation' | 'window' | 'time';

export interface CacheSpec {
  readonly scope: Scope;
  /** Limit for the estimated size of all values together. */
  readonly mebibytes: number;
  /** How long a value is kept at most, whatever its scope, ms. */
  readonly ttlMs?: number;
  readonly keeps: string;
  /** Medians without it and with it (npm run bench -- caches), or why it is there where nothing could be measured. */
  readonly saves: string;
}

const second = 1_000;
const hour = 3_600 * second;

export const caches = {
  replies: {
    scope: 'snapshot',
    mebibytes: 48,
    keeps: 'replies of routes with a max-age, as they are sent',
    saves:
      'the newest transactions 39 ms to 2, the first page 88 to 9; `/stats` nothing: `totals` and `prices` hold what it says',
  },
  totals: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'totals of the chain',
    saves: '`/stats` for 20 at once 88 ms to 45; for one alone nothing',
  },
  series_open: {
    scope: 'snapshot',
    mebibytes: 16,
    keeps: 'buckets of charts that are not closed',
    saves: 'a chart 251 ms to 2 where open buckets are not held; where they are, nothing',
  },
  open_buckets: {
    scope: 'snapshot',
    mebibytes: 16,
    keeps: 'the same, by resolution, as the tail has them',
    saves: 'a chart by day behind `/stats` 13 ms to 9.5',
  },
  open_returns: {
    scope: 'snapshot',
    mebibytes: 4,
    keeps: 'senders that came back on days that are not closed',
    saves: 'a chart of returning senders 53 ms to 7.5',
  },
  tokens: { scope: 'snapshot', mebibytes: 4, keeps: 'a token with its figures', saves: 'a page of holders 15 ms to 9' },
  token_figures: {
    scope: 'snapshot',
    mebibytes: 128,
    keeps: 'transfers, holders and who moved, by token',
    saves: 'a page of holders 328 ms to 16 where too much of a token moves for `token_moves`; else nothing',
  },
  token_names: {
    scope: 'snapshot',
    mebibytes: 8,
    keeps: 'what tokens call themselves',
    saves: 'tokens of an account 22 ms to 10',
  },
  top_accounts: { scope: 'snapshot', mebibytes: 8, keeps: 'the richest accounts', saves: 'a page of them 71 ms to 14' },
  pools: {
    scope: 'snapshot',
    mebibytes: 4,
    keeps: 'pools that price the coin',
    saves: 'the price of another window 161 ms to 127',
  },
  prices: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'the price, by window',
    saves: 'the price 133 ms to 3; `/stats` for 20 at once 1,450 to 216',
  },
  registry_counts: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'figures of the registry',
    saves: '`/registry/stats` 115 ms to 19',
  },
  agents: {
    scope: 'snapshot',
    mebibytes: 32,
    keeps: 'agents and their testimonies',
    saves: 'a page of 300 agents 81 ms to 16',
  },
  traced_ranges: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'which blocks are traced',
    saves: 'a page of history 22 ms to 14',
  },
  closed_accounts: {
    scope: 'generation',
    mebibytes: 4,
    keeps: 'what an account did',
    saves: 'an account 29 ms to 26, for 20 at once 278 to 211',
  },
  closed_holdings: {
    scope: 'generation',
    mebibytes: 32,
    keeps: 'what an account holds',
    saves: 'tokens of an account in a new state 53 ms to 47 (2 million transactions)',
  },
  closed_tokens: {
    scope: 'generation',
    mebibytes: 2,
    keeps: 'figures of a token',
    saves: 'a token in a new state 77 ms to 72, p99 121 to 86 (2 million transactions)',
  },
  rankings: {
    scope: 'generation',
    mebibytes: 48,
    keeps: 'stretches of a ranking of holders',
    saves: 'a page of a walk through holders 29 ms to 17',
  },
  ranking_reads: {
    scope: 'generation',
    mebibytes: 4,
    keeps: 'stretches that are being read',
    saves: '20 first readers of a ranking 299 ms to 181',
  },
  closed_totals: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'totals of closed days and hours, by their marks',
    saves: '`/stats` in a new state 56 ms to 49',
  },
  series_closed: {
    scope: 'window',
    mebibytes: 192,
    keeps: 'closed buckets of charts, by their marks',
    saves: 'a chart in a new state 52 ms to 47, for 20 at once 279 to 113',
  },
  open_from: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'first block that no closed bucket holds',
    saves: 'a chart in a new state 51 ms to 45 (2 million transactions)',
  },
  closed_returns: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'senders that came back on closed days',
    saves: 'a chart of returning senders in a new state, for 20 at once 211 ms to 121; for one alone 72 to 69',
  },
  token_moves: {
    scope: 'window',
    mebibytes: 64,
    keeps: 'what moved of a token behind its closed eras, grown by new blocks',
    saves: 'a token in a new state 180 ms to 88',
  },
  block_times: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'times of blocks',
    saves: 'a chart in a new state for 20 at once 163 ms to 101; for one alone nothing',
  },
  blocks_of_times: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'first settled block from a time on',
    saves: 'history from a time on in a new state 58 ms to 34',
  },
  transactions: {
    scope: 'window',
    mebibytes: 32,
    ttlMs: 60 * second,
    keeps: 'settled transactions that were asked for lately',
    saves: 'a transaction 46 ms to 2',
  },
  accounts: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 60 * second,
    keeps: "accounts' state of a block, from the node",
    saves: 'three calls of the node; where it answers at once nothing',
  },
  contracts: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 600 * second,
    keeps: 'answers of contracts, from the node',
    saves: 'a call of the node; where it answers at once nothing',
  },
  traces: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: hour,
    keeps: 'traces of transactions, from the node',
    saves: "the node's work; where it answers at once, 1.4 ms to 0.8",
  },
  walks: {
    scope: 'time',
    mebibytes: 64,
    ttlMs: 15 * second,
    keeps: 'rows ahead of a walk through a history',
    saves: 'a page of a walk through a history 22 ms to 3',
  },
  recent_charts: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 15 * second,
    keeps: 'drawings of the first page',
    saves: 'the first page in a new state 128 ms to 115',
  },
  self_checks: {
    scope: 'time',
    mebibytes: 1,
    ttlMs: 3 * second,
    keeps: 'what the service says of a node',
    saves: 'not measured: a node is asked five things once in 3 s, whoever asks',
  },
  label_maps: {
    scope: 'time',
    mebibytes: 128,
    ttlMs: 24 * hour,
    keeps: 'labels of a manifest, compressed',
    saves: 'labels of 20,000 entities 177 ms to 40, for 20 at once 4.8 s to 0.9',
  },
  directories: {
    scope: 'time',
    mebibytes: 16,
    ttlMs: 24 * hour,
    keeps: 'the directory of the ecosystem, parsed',
    saves: 'a page of a directory of 500 11 ms to 1',
  },
  emission_totals: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 24 * hour,
    keeps: 'what was emitted up to a block, by its hash',
    saves: 'not measured: a node is asked once for each end of a bucket',
  },
  api_keys: {
    scope: 'time',
    mebibytes: 32,
    ttlMs: 4 * second,
    keeps: 'API keys by their hash',
    saves: 'a block, asked for with a key, 22 ms to 16',
  },
  wallets: {
    scope: 'time',
    mebibytes: 32,
    ttlMs: 4 * second,
    keeps: 'wallets of an identity',
    saves: 'a block, asked for with a key, 19 ms to 15',
  },
  checksums: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 24 * hour,
    keeps: 'addresses with their checksum',
    saves: 'the page of the newest transactions for 20 at once 374 ms to 333',
  },
} as const satisfies Record<string, CacheSpec>;

export type CacheName = keyof typeof caches;
