/**
 * When a cached value becomes invalid. `snapshot`: at each new state of the chain; `generation`: when a reorg removes
 * blocks, or when the sums of another 2,000 blocks (rollup window) are stored; `window`: when a reorg removes blocks;
 * `time`: only at its maximum age.
 */
type Scope = 'snapshot' | 'generation' | 'window' | 'time';

export interface CacheSpec {
  readonly scope: Scope;
  readonly mebibytes: number;
  readonly ttlMs?: number;
  /** What the cache contains, for docs/architecture.md. */
  readonly keeps: string;
  /** Median latency without → with the cache, or the reason for the cache. */
  readonly saves: string;
}

const second = 1_000;
const hour = 3_600 * second;

export const caches = {
  replies: {
    scope: 'snapshot',
    mebibytes: 48,
    keeps: 'rendered replies of routes with a max-age',
    saves:
      'newest transactions: 39 → 2 ms; home page: 88 → 9 ms; `/stats`: nothing, because `totals` and `prices` cache its parts',
  },
  totals: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'totals of the chain',
    saves: '`/stats`, 20 concurrent: 88 → 45 ms; one request: nothing',
  },
  series_open: {
    scope: 'snapshot',
    mebibytes: 16,
    keeps: 'open chart buckets',
    saves: 'a chart: 251 → 2 ms without `open_buckets` in memory; else nothing',
  },
  open_buckets: {
    scope: 'snapshot',
    mebibytes: 16,
    keeps: 'open chart buckets in memory, by resolution',
    saves: 'a daily chart after `/stats`: 13 → 9.5 ms',
  },
  open_returns: {
    scope: 'snapshot',
    mebibytes: 4,
    keeps: 'returning senders of open days',
    saves: 'a chart of returning senders: 53 → 7.5 ms',
  },
  tokens: { scope: 'snapshot', mebibytes: 4, keeps: 'a token with its figures', saves: 'a page of holders: 15 → 9 ms' },
  token_figures: {
    scope: 'snapshot',
    mebibytes: 128,
    keeps: 'transfers, holders and active accounts, by token',
    saves: 'a page of holders: 328 → 16 ms for tokens too active for `token_moves`; else nothing',
  },
  token_names: {
    scope: 'snapshot',
    mebibytes: 8,
    keeps: 'names of tokens',
    saves: 'tokens of an account: 22 → 10 ms',
  },
  top_accounts: {
    scope: 'snapshot',
    mebibytes: 8,
    keeps: 'accounts with the largest balances',
    saves: 'a page of these accounts: 71 → 14 ms',
  },
  pools: {
    scope: 'snapshot',
    mebibytes: 4,
    keeps: 'pools that set the price of the coin',
    saves: 'price of another window: 161 → 127 ms',
  },
  prices: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'price of the coin, by time window',
    saves: 'price: 133 → 3 ms; `/stats`, 20 concurrent: 1,450 → 216 ms',
  },
  registry_counts: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'numbers of wallets and contracts, by registry manifest',
    saves: '`/registry/stats`: 115 → 19 ms',
  },
  agents: {
    scope: 'snapshot',
    mebibytes: 32,
    keeps: 'AI agents and their statements (testimonies)',
    saves: 'a page of 300 agents: 81 → 16 ms',
  },
  traced_ranges: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'ranges of traced blocks',
    saves: 'a page of history: 22 → 14 ms',
  },
  closed_accounts: {
    scope: 'generation',
    mebibytes: 4,
    keeps: 'counts of an account, such as transactions, in stored ranges of 2,000 blocks (rollup windows)',
    saves: 'an account: 29 → 26 ms; 20 concurrent: 278 → 211 ms',
  },
  closed_holdings: {
    scope: 'generation',
    mebibytes: 32,
    keeps: 'token balance changes of an account in stored ranges of 2,000 blocks (rollup windows)',
    saves: 'tokens of an account after a new block: 53 → 47 ms (2 million transactions)',
  },
  closed_tokens: {
    scope: 'generation',
    mebibytes: 2,
    keeps: 'holders, transfers and balance total of a token in stored ranges of 2,000 blocks (rollup windows)',
    saves: 'a token after a new block: 77 → 72 ms, p99 121 → 86 ms (2 million transactions)',
  },
  rankings: {
    scope: 'generation',
    mebibytes: 48,
    keeps: 'ranges of a ranking of holders',
    saves: 'a page of a list of holders: 29 → 17 ms',
  },
  ranking_reads: {
    scope: 'generation',
    mebibytes: 4,
    keeps: 'ranges of rankings that are being read',
    saves: 'first read of a ranking, 20 concurrent: 299 → 181 ms',
  },
  closed_totals: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'totals of closed days and hours, by their end time',
    saves: '`/stats` after a new block: 56 → 49 ms',
  },
  series_closed: {
    scope: 'window',
    mebibytes: 192,
    keeps: 'closed chart buckets, by their end time',
    saves: 'a chart after a new block: 52 → 47 ms; 20 concurrent: 279 → 113 ms',
  },
  open_from: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'first block after the closed buckets',
    saves: 'a chart after a new block: 51 → 45 ms (2 million transactions)',
  },
  closed_returns: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'returning senders of closed days',
    saves: 'a chart of returning senders after a new block, 20 concurrent: 211 → 121 ms; one request: 72 → 69 ms',
  },
  token_moves: {
    scope: 'window',
    mebibytes: 64,
    keeps:
      'balance changes of a token after the stored ranges of 2,000 blocks (rollup windows), extended by new blocks',
    saves: 'a token after a new block: 180 → 88 ms',
  },
  block_times: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'times of blocks',
    saves: 'a chart after a new block, 20 concurrent: 163 → 101 ms; one request: nothing',
  },
  blocks_of_times: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'first finalized block at or after a time',
    saves: 'history from a time after a new block: 58 → 34 ms',
  },
  transactions: {
    scope: 'window',
    mebibytes: 32,
    ttlMs: 60 * second,
    keeps: 'recently requested finalized transactions',
    saves: 'a transaction: 46 → 2 ms',
  },
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
  coin_price: {
    scope: 'time',
    mebibytes: 1,
    ttlMs: 60 * second,
    keeps: 'price of the coin, with which pages show amounts in dollars',
    saves: 'the statement trade_buckets per page after a new block: 118 ms',
  },
  day_prices: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'prices of the coin by finished day, for transaction pages',
    saves: 'the statement trade_buckets per page of an older day: 118 ms',
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

export type CacheName = keyof typeof caches;
