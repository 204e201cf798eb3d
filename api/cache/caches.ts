import type { CacheSpec } from './cache-spec.ts';
import { timeCaches } from './time-caches.ts';

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
  traced_ranges: {
    scope: 'snapshot',
    mebibytes: 1,
    keeps: 'ranges of traced blocks',
    saves: 'a page of history: 22 → 14 ms',
  },
  older_accounts: {
    scope: 'generation',
    mebibytes: 8,
    keeps: 'counts of an account, such as transactions, in blocks older than those in memory',
    saves: 'the statements account_counters and closed_account per account: 23 ms',
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
  query_charts: {
    scope: 'window',
    mebibytes: 32,
    keeps: 'ended buckets of charts that are queries of statistics',
    saves: 'a chart of active tokens after a new block: 61 → 43 ms, p99 122 → 51 ms; 20 concurrent: 64 → 54 ms',
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
  log_reads: {
    scope: 'window',
    mebibytes: 32,
    keeps:
      'values from the logs of contracts, until one of them emits a log or blocks are finalized: AI agents, pools of factories, mints of the bridge, block rewards',
    saves: 'a page of 300 agents: 98 → 14 ms; after a new block: 119 → 32 ms',
  },
  transactions: {
    scope: 'window',
    mebibytes: 32,
    keeps: 'recently requested transactions',
    saves: 'a transaction: 46 → 2 ms',
  },
  older_history: {
    scope: 'window',
    mebibytes: 64,
    keeps: 'rows that fill the newest page of a history, from blocks older than those in memory',
    saves: 'histories for 8 clients of a growing chain, together with rows in memory: 51 → 648 replies/s',
  },
  older_internal: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'like `older_history`: positions of internal transfers',
    saves: 'see `older_history`',
  },
  older_transactions: {
    scope: 'window',
    mebibytes: 4,
    keeps: 'like `older_history`: all transactions',
    saves: 'the statement transactions_desc per list and block: 20 ms',
  },
  older_transfers: {
    scope: 'window',
    mebibytes: 32,
    keeps: 'like `older_history`: transfers of a token',
    saves: 'the statement transfers_of_token per list and block: 25 ms',
  },
  older_activity: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'number of transfers of a token by time, in the last 24 hours of blocks older than those in memory',
    saves: 'the statement token_activity per token and block: 65 ms',
  },
  placed_history: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'transactions in which an account took part only by internal transfers',
    saves: 'the statement history_at per page of history: 16 ms',
  },
  placed_calls: {
    scope: 'window',
    mebibytes: 32,
    keeps: 'call data of transactions, for txlist',
    saves: 'the statement calls_at per page of txlist: 22 ms',
  },
  placed_transactions: {
    scope: 'window',
    mebibytes: 16,
    keeps: 'fields of transactions, for tokentx and getLogs',
    saves: 'the statement transactions_at per page of tokentx: 22 ms',
  },
  creations: {
    scope: 'window',
    mebibytes: 2,
    keeps: 'who created a contract, in blocks older than those in memory',
    saves: 'two statements per page of a contract: 140 and 72 ms',
  },
  blocks: {
    scope: 'window',
    mebibytes: 4,
    keeps: 'recently requested blocks, by number',
    saves: 'the statement blocks_desc per page of a transaction: 23 ms',
  },
  day_prices: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'prices of the coin by finished day, for transaction pages',
    saves: 'the statement trade_buckets per page of an older day: 118 ms',
  },
  prices_in_sql: {
    scope: 'window',
    mebibytes: 1,
    keeps: 'prices of the coin of all finished days, for queries in SQL',
    saves: 'the statement trade_buckets over all days, twice per query in SQL that names the view prices',
  },
  ...timeCaches,
} as const satisfies Record<string, CacheSpec>;

export type CacheName = keyof typeof caches;
