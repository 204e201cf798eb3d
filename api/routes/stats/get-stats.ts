import { z } from 'zod';
import { eraBlocks } from '#sql/chain-tables.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import type { ApiDeps } from '../../deps.ts';
import { indexInfo } from '../../freshness.ts';
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

const Stats = Figures.extend({ chainId: Count, updatedAtBlock: Count, index: IndexInfo }).meta({ id: 'Stats' });

type Row = Record<string, string | number>;

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
    deps.snapshots.run(async (state) => ({
      chainId: deps.settings.chainId,
      ...(await readFigures(deps, state)),
      updatedAtBlock: state.head,
      index: indexInfo(deps, state),
    })),
});

/** Totals of a state, computed once whoever asks. */
export function readFigures(deps: ApiDeps, state: ChainState): Promise<StatsFigures> {
  return deps.totals.of('totals', state, () => compute(deps, state));
}

async function compute({ database, statements }: ApiDeps, state: ChainState): Promise<z.infer<typeof Figures>> {
  const snapshot = snapshotParameters(state);
  const read = (name: string, parameters: Row) =>
    database.read<Row>(getStatement(statements, name), { ...snapshot, ...parameters }).then((rows) => rows[0]!);
  const [totals, accounts, recent] = await Promise.all([
    read('chain_totals', { day_through: state.dayThrough, hour_through: state.hourThrough }),
    read('account_count', { era_through: state.eraThrough, era_blocks: eraBlocks }),
    read('recent_activity', {}),
  ]);
  const number = (value: string | number | undefined) => Number(value ?? 0);
  const seconds = number(recent.recent_seconds);
  const blocks = number(recent.recent_blocks);
  return {
    anchors: number(totals.blocks),
    transactions: number(totals.transactions),
    failedTransactions: number(totals.failed),
    events: number(totals.logs),
    knots: number(totals.logs) + number(totals.native_transfers),
    nativeTransfers: number(totals.native_transfers),
    tokenTransfers: number(totals.token_transfers),
    accounts: number(accounts.accounts),
    contracts: number(totals.contracts),
    gasUsed: number(totals.gas_used),
    fees: String(totals.fees),
    tps: seconds > 0 ? number(recent.recent_transactions) / seconds : 0,
    averageBlockTime: seconds > 0 && blocks > 0 ? seconds / blocks : null,
    transactions24h: number(recent.transactions_24h),
    fees24h: String(recent.fees_24h),
  };
}
