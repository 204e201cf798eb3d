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
  /** What was measured of it (docs/measurements.md); absent: nothing. */
  readonly saves?: string;
}

const second = 1_000;
const hour = 3_600 * second;

export const caches = {
  replies: {
    scope: 'snapshot',
    mebibytes: 48,
    keeps: 'replies of routes with a max-age, as they are sent',
    saves: '`/stats` 41 ms to 0.5, a chart 38 to 0.8',
  },
  totals: { scope: 'snapshot', mebibytes: 1, keeps: 'totals of the chain' },
  series_open: { scope: 'snapshot', mebibytes: 16, keeps: 'buckets of charts that are not closed' },
  open_buckets: { scope: 'snapshot', mebibytes: 16, keeps: 'the same, by resolution, as the tail has them' },
  open_returns: { scope: 'snapshot', mebibytes: 4, keeps: 'senders that came back on days that are not closed' },
  tokens: { scope: 'snapshot', mebibytes: 4, keeps: 'a token with its figures' },
  token_figures: { scope: 'snapshot', mebibytes: 128, keeps: 'transfers, holders and who moved, by token' },
  token_names: { scope: 'snapshot', mebibytes: 8, keeps: 'what tokens call themselves' },
  top_accounts: { scope: 'snapshot', mebibytes: 8, keeps: 'the richest accounts' },
  pools: { scope: 'snapshot', mebibytes: 4, keeps: 'pools that price the coin' },
  prices: { scope: 'snapshot', mebibytes: 1, keeps: 'the price, by window' },
  registry_counts: { scope: 'snapshot', mebibytes: 1, keeps: 'figures of the registry' },
  agents: { scope: 'snapshot', mebibytes: 32, keeps: 'agents and their testimonies' },
  traced_ranges: { scope: 'snapshot', mebibytes: 1, keeps: 'which blocks are traced' },
  closed_accounts: { scope: 'generation', mebibytes: 4, keeps: 'what an account did', saves: 'an account 38 ms to 15' },
  closed_holdings: { scope: 'generation', mebibytes: 32, keeps: 'what an account holds' },
  closed_tokens: { scope: 'generation', mebibytes: 2, keeps: 'figures of a token' },
  rankings: {
    scope: 'generation',
    mebibytes: 48,
    keeps: 'stretches of a ranking of holders',
    saves: 'a page of holders 100 ms to 36',
  },
  ranking_reads: { scope: 'generation', mebibytes: 4, keeps: 'stretches that are being read' },
  closed_totals: { scope: 'window', mebibytes: 1, keeps: 'totals of closed days and hours, by their marks' },
  series_closed: {
    scope: 'window',
    mebibytes: 192,
    keeps: 'closed buckets of charts, by their marks',
    saves: 'a chart in a new state 514 ms to 321',
  },
  open_from: { scope: 'window', mebibytes: 1, keeps: 'first block that no closed bucket holds' },
  closed_returns: { scope: 'window', mebibytes: 16, keeps: 'senders that came back on closed days' },
  token_moves: {
    scope: 'window',
    mebibytes: 64,
    keeps: 'what moved of a token behind its closed eras, grown by new blocks',
  },
  block_times: { scope: 'window', mebibytes: 1, keeps: 'times of blocks' },
  blocks_of_times: { scope: 'window', mebibytes: 1, keeps: 'first settled block from a time on' },
  transactions: {
    scope: 'window',
    mebibytes: 32,
    ttlMs: 60 * second,
    keeps: 'settled transactions that were asked for lately',
    saves: 'a transaction 18 ms to 1',
  },
  accounts: { scope: 'time', mebibytes: 16, ttlMs: 60 * second, keeps: "accounts' state of a block, from the node" },
  contracts: { scope: 'time', mebibytes: 16, ttlMs: 600 * second, keeps: 'answers of contracts, from the node' },
  traces: { scope: 'time', mebibytes: 16, ttlMs: hour, keeps: 'traces of transactions, from the node' },
  walks: {
    scope: 'time',
    mebibytes: 64,
    ttlMs: 15 * second,
    keeps: 'rows ahead of a walk through a history',
    saves: 'a walk pays for planning once in ten pages',
  },
  recent_charts: { scope: 'time', mebibytes: 4, ttlMs: 15 * second, keeps: 'drawings of the first page' },
  self_checks: { scope: 'time', mebibytes: 1, ttlMs: 3 * second, keeps: 'what the service says of a node' },
  label_maps: { scope: 'time', mebibytes: 128, ttlMs: 24 * hour, keeps: 'labels of a manifest, compressed' },
  directories: { scope: 'time', mebibytes: 16, ttlMs: 24 * hour, keeps: 'the directory of the ecosystem, parsed' },
  emission_totals: {
    scope: 'time',
    mebibytes: 4,
    ttlMs: 24 * hour,
    keeps: 'what was emitted up to a block, by its hash',
  },
  api_keys: { scope: 'time', mebibytes: 32, ttlMs: 4 * second, keeps: 'API keys by their hash' },
  wallets: { scope: 'time', mebibytes: 32, ttlMs: 4 * second, keeps: 'wallets of an identity' },
  checksums: { scope: 'time', mebibytes: 4, ttlMs: 24 * hour, keeps: 'addresses with their checksum' },
} as const satisfies Record<string, CacheSpec>;

export type CacheName = keyof typeof caches;
