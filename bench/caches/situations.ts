import { request } from 'undici';
import type { CacheName } from '#api/cache/caches.ts';
import { Random } from '#devchain/random.ts';
import { known } from '#runtime/known.ts';
import { busiest, getAddress, tokenByNumber, widestToken } from '../api/fill-chain.ts';
import { timeOfRequest } from '../api/subject.ts';
import type { Arm, Situation } from './compare.ts';

export interface Subjects {
  readonly origin: string;
  /** API without figures of new blocks in memory, as on a chain with more than 100,000 transactions per day. */
  readonly busyOrigin: string;
  /** API with an exchange. The other APIs have none, because computing prices from trades would dominate `/stats`. */
  readonly marketOrigin: string;
  readonly hashes: readonly string[];
  readonly head: number;
  readonly headTime: number;
  readonly key: string;
}

const otherInputs = { idle: ['replies'] as const };
const newState = { isNewState: true };

export function situations(subjects: Subjects): Situation[] {
  return [
    ...ofFigures(subjects),
    ...ofCharts(subjects),
    ...ofTokens(subjects),
    ...ofAccounts(subjects),
    ...ofMarkets(subjects),
    ...ofTransactions(subjects),
    ...ofRegistry(subjects),
    ...ofCallers(subjects),
    ...ofPages(subjects),
  ];
}

type Options = Omit<Situation, 'cache' | 'asked' | 'ask'>;

function getter(origin: string, base = '/api/v1') {
  return (cache: CacheName, asked: string, path: string | ((round: number) => string), options: Options = {}) => ({
    cache,
    asked,
    ...options,
    ask: (round: number) => timeOfRequest(origin, base + (typeof path === 'string' ? path : path(round))),
  });
}

function ofFigures({ origin }: Subjects): Situation[] {
  const get = getter(origin);
  return [
    get('replies', '`/stats`, the same state', '/stats'),
    get('replies', 'newest transactions, the same state', '/transactions?limit=50'),
    getter(origin, '')('replies', 'the first page, the same state', '/'),
    get('totals', '`/stats`, the same state', '/stats', otherInputs),
    get('totals', '`/counters` behind `/stats`', '/counters', { before: () => timeOfRequest(origin, '/api/v1/stats') }),
    get('closed_totals', '`/stats`, a new state', '/stats', newState),
  ];
}

function ofCharts({ origin, busyOrigin, headTime }: Subjects): Situation[] {
  const [get, getBusy] = [getter(origin), getter(busyOrigin)];
  const chart = (id: string, more = '') => `/stats/charts/${id}?resolution=day${more}`;
  const month = `&from=${headTime - 30 * 86_400}`;
  const before = () => timeOfRequest(origin, '/api/v1/stats');
  const returned = chart('activeRecurringAccounts60Days', month);
  return [
    get('series_open', 'a chart, the same state', chart('newTxns'), otherInputs),
    getBusy('series_open', 'the same on a chain too busy for open buckets', chart('newTxns'), otherInputs),
    get('open_buckets', 'a chart by day behind `/stats`', chart('newTxns'), { before }),
    get('series_closed', 'a chart of all time, a new state', chart('newTxns'), newState),
    get('query_charts', 'a chart of active tokens of all time, a new state', chart('activeTokens'), newState),
    get('open_from', 'a chart of 30 days, a new state', chart('newTxns', month), newState),
    get('block_times', 'a chart of 30 days, a new state', chart('newTxns', month), newState),
    get('open_returns', 'a chart of returning senders, the same state', returned, otherInputs),
    get('closed_returns', 'the same, a new state', returned, newState),
    get(
      'blocks_of_times',
      'history of an account from a given time, a new state',
      `/accounts/${getAddress(0.3)}/transactions?limit=25&fromTime=${headTime - 30 * 86_400}`,
      newState,
    ),
  ];
}

function ofTokens({ origin }: Subjects): Situation[] {
  const get = getter(origin);
  const holders = `/tokens/${widestToken}/holders?limit=100`;
  return [
    get('tokens', 'first page of holders, the same state', holders, otherInputs),
    get('token_figures', 'first page of holders, the same state', holders, otherInputs),
    get('token_figures', 'the same for a token with too many transfers to cache', holders, {
      idle: ['replies', 'token_moves'],
      idleAtOnce: ['token_moves'],
    }),
    get('rankings', 'first page of holders, a new state', holders, newState),
    getWalk('rankings', 'pages of 100 in a walk through holders', () => `${origin}/api/v1${holders}`),
    get('ranking_reads', 'first page of holders, ranking not read yet', holders, {
      idle: ['replies', 'rankings'],
      idleAtOnce: ['rankings'],
    }),
    get('closed_tokens', 'a token, a new state', `/tokens/${widestToken}`, newState),
    get('token_moves', 'a token, a new state', `/tokens/${widestToken}`, newState),
    get('contracts', 'a token, the same state, its node answers at once', `/tokens/${tokenByNumber(3)}`, otherInputs),
  ];
}

function ofAccounts({ origin, head }: Subjects): Situation[] {
  const get = getter(origin);
  const random = new Random(7);
  const account = (round: number) => getAddress((round % 20) / 20);
  const page = () => `/accounts/${busiest}/transactions?limit=50&to=${random.between(1, head)}`;
  return [
    get(
      'token_names',
      'tokens of accounts, the same state',
      (round) => `/accounts/${account(round)}/tokens`,
      otherInputs,
    ),
    get('closed_holdings', 'tokens of an account, a new state', `/accounts/${getAddress(0.1)}/tokens`, newState),
    get('older_accounts', 'an account, a new state', `/accounts/${getAddress(0.1)}`, newState),
    get(
      'accounts',
      'an account, the same state, its node answers at once',
      `/accounts/${getAddress(0.1)}`,
      otherInputs,
    ),
    get('traced_ranges', 'a page of history, the same state', page, otherInputs),
    get('top_accounts', 'the richest accounts, the same state', '/accounts/top?limit=50', otherInputs),
    getWalk('walks', 'pages of 100 in a walk through a history', (arm) => {
      return `${origin}/api/v1/accounts/${busiest}/transactions?limit=100&from=${arm === 'with' ? 0 : 1}`;
    }),
  ];
}

/**
 * Measures pages of a list. The runs with and without the cache read different lists, because a page cached in one run
 * would distort the other run.
 */
function getWalk(cache: CacheName, asked: string, getList: (arm: Arm) => string): Situation {
  const cursors: Record<Arm, string | null> = { with: null, without: null };
  return {
    cache,
    asked,
    ...otherInputs,
    isAloneOnly: true,
    ask: async (_, arm) => {
      const startedAt = performance.now();
      const more = cursors[arm] === null ? '' : `&cursor=${cursors[arm]}`;
      const reply = await request(getList(arm) + more);
      const body = (await reply.body.json()) as { nextCursor: string | null };
      cursors[arm] = body.nextCursor;
      return performance.now() - startedAt;
    },
  };
}

function ofMarkets({ marketOrigin: origin }: Subjects): Situation[] {
  const get = getter(origin);
  return [
    get('prices', 'the price, the same state', '/nativefat/price', otherInputs),
    get('prices', '`/stats`, a new state', '/stats', newState),
    get(
      'pools',
      'the price over other windows, the same state',
      (round) => `/nativefat/price?window=${80_000 + round}`,
      {
        idle: ['replies', 'prices'],
      },
    ),
    get('pools', 'the price, a new state', '/nativefat/price', newState),
  ];
}

function ofTransactions({ origin, hashes }: Subjects): Situation[] {
  const [found, traced] = [known(hashes[0], 'a hash'), known(hashes[1], 'another hash')];
  const calls = `/api?module=account&action=txlistinternal&txhash=${traced}`;
  return [
    getter(origin)('transactions', 'a transaction, a new state', `/transactions/${found}`, newState),
    getter(origin, '')('traces', 'internal calls of a transaction, from a node that answers at once', calls),
  ];
}

function ofRegistry({ origin }: Subjects): Situation[] {
  const get = getter(origin);
  return [
    get('registry_counts', 'figures of the registry, the same state', '/registry/stats', otherInputs),
    get('label_maps', 'labels of 20,000 entities', '/registry/labels', otherInputs),
    get('directories', 'a page of a directory of 500', '/ecosystem/directory?limit=50', otherInputs),
    get('log_reads', '300 agents, the same state', '/ai-agents?limit=50', otherInputs),
    get('log_reads', 'the same, a new state', '/ai-agents?limit=50', newState),
  ];
}

function ofCallers({ origin, key }: Subjects): Situation[] {
  const startedWith = { 'x-api-key': key };
  const ask = async () => {
    const startedAt = performance.now();
    const reply = await request(`${origin}/api/v1/strings/1000`, { headers: startedWith });
    await reply.body.dump();
    if (reply.statusCode !== 200) throw new Error(`a request with an API key got HTTP status ${reply.statusCode}`);
    return performance.now() - startedAt;
  };
  return (['api_keys', 'wallets'] as const).map((cache) => ({
    cache,
    asked: 'a block, with an API key',
    ...otherInputs,
    ask,
  }));
}

function ofPages({ origin }: Subjects): Situation[] {
  const get = getter(origin, '');
  return [
    getter(origin)('signatures', 'newest transactions, a new state', '/transactions?limit=50', newState),
    get('recent_charts', 'the first page, a new state', '/', newState),
    get('checksums', 'the page of the newest transactions', '/txs', otherInputs),
  ];
}
