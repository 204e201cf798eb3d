import { z } from 'zod';
import type { ChainState } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { CountName } from '../../charts/figures.ts';
import { defineRoute } from '../../define-route.ts';
import type { ApiDeps } from '../../deps.ts';
import { indexInfo } from '../../freshness.ts';
import { readPrice } from '../../market/price.ts';
import { Count, IndexInfo, Wei } from '../../schema/primitives.ts';

const Figures = z.strictObject({
  anchors: Count,
  transactions: Count,
  failedTransactions: Count,
  events: Count.meta({ description: 'Event logs' }),
  knots: Count.meta({
    description: 'Individually addressable events: logs, and successful native transfers with value',
  }),
  nativeTransfers: Count,
  tokenTransfers: Count,
  accounts: Count.meta({ description: 'Distinct addresses that sent, received, were created or emitted a log' }),
  contracts: Count.meta({ description: 'Contracts created by transactions' }),
  gasUsed: Count,
  fees: Wei,
  tps: z.number().meta({ description: 'Transactions per second over the last 100 anchors' }),
  averageBlockTime: z.number().nullable().meta({ description: 'Seconds, over the last 100 anchors' }),
  transactions24h: Count,
  fees24h: Wei,
});

const Stats = Figures.extend({
  chainId: Count,
  fatPriceUsd: z.string().nullable().meta({ description: 'As /nativefat/price says; null where nothing was traded' }),
  fatPriceStale: z.boolean(),
  updatedAtBlock: Count,
  index: IndexInfo,
}).meta({ id: 'Stats' });

export type StatsFigures = z.infer<typeof Figures>;

/** @source specification 4.2 */
export const getStats = defineRoute({
  id: 'getStats',
  base: '/api/v1',
  path: '/stats',
  methods: ['get'],
  tag: 'stats',
  summary: 'Totals of the chain, exact to the head',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: Stats,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/stats',
  handle: (deps) =>
    deps.snapshots.run(async (state) => {
      const [figures, price] = await Promise.all([readFigures(deps, state), readPrice(deps, state)]);
      return {
        chainId: deps.settings.chainId,
        ...figures,
        ...{ fatPriceUsd: price.price, fatPriceStale: price.stale },
        ...{ updatedAtBlock: state.head, index: indexInfo(deps, state) },
      };
    }),
});

/** Totals of a state, computed once whoever asks. */
export function readFigures(deps: ApiDeps, state: ChainState): Promise<StatsFigures> {
  return deps.totals.of('totals', state, () => compute(deps, state));
}

export type Totals = Readonly<Record<string, string | number>>;

/** Totals of what is closed, kept until more is. */
export function readClosedTotals({ closedTotals, database, statements }: ApiDeps, state: ChainState): Promise<Totals> {
  const { dayThrough, hourThrough, epoch } = state;
  const key = `${dayThrough}:${hourThrough}:${epoch}`;
  const parameters = { day_through: dayThrough, hour_through: hourThrough };
  return closedTotals.of(key, async () => {
    const [row] = await database.read<Totals>(getStatement(statements, 'closed_totals'), parameters);
    return row!;
  });
}

async function compute(deps: ApiDeps, state: ChainState): Promise<StatsFigures> {
  const [closed, live, recent] = await Promise.all([
    readClosedTotals(deps, state),
    deps.series.open('hour', state),
    deps.blockTimes.head(state).then((headTime) => deps.recentBlocks.activity(state, headTime)),
  ]);
  const open = [...live.values()];
  const sum = (name: CountName) => open.reduce((total, { counts }) => total + counts[name], 0n);
  const total = (name: string, counted: CountName) => Number(BigInt(closed[name] ?? 0) + sum(counted));
  const [logs, transfers] = [total('logs', 'log_count'), total('native_transfers', 'native_transfer_count')];
  return {
    anchors: total('blocks', 'block_count'),
    transactions: total('transactions', 'transaction_count'),
    failedTransactions: total('failed', 'failed_count'),
    events: logs,
    knots: logs + transfers,
    nativeTransfers: transfers,
    tokenTransfers: total('token_transfers', 'token_transfer_count'),
    accounts: Number(closed.addresses ?? 0) + open.reduce((all, { actors }) => all + Number(actors.address.fresh), 0),
    contracts: total('contracts', 'creation_count'),
    gasUsed: total('gas_used', 'gas_used'),
    fees: String(BigInt(closed.fees!) + sum('fees')),
    ...{ tps: recent.tps, averageBlockTime: recent.averageBlockTime },
    ...{ transactions24h: recent.transactions24h, fees24h: String(recent.fees24h) },
  };
}
