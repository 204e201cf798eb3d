import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { Cache } from '../../cache/cache.ts';
import type { RecentBlocks } from '../../tail/recent-blocks.ts';
import type { CountName } from '../../terms/figures.ts';
import type { SeriesReader } from '../charts/series-reader.ts';
import type { StoreDeps, TimeDeps } from '../reader-deps.ts';

export interface FigureDeps extends StoreDeps, TimeDeps {
  readonly totals: Cache<StatsFigures>;
  readonly closedTotals: Cache<Totals>;
  readonly series: Pick<SeriesReader, 'open'>;
  readonly recentBlocks: Pick<RecentBlocks, 'activity'>;
}

type ClosedTotalsDeps = StoreDeps & Pick<FigureDeps, 'closedTotals'>;
export type BurnedFeesDeps = ClosedTotalsDeps & Pick<FigureDeps, 'series'>;

/** Totals of the chain. Counts are exact up to 2^53; amounts are decimal strings in wei. */
export interface StatsFigures {
  readonly anchors: number;
  readonly transactions: number;
  readonly failedTransactions: number;
  readonly events: number;
  readonly knots: number;
  readonly nativeTransfers: number;
  readonly tokenTransfers: number;
  readonly accounts: number;
  readonly contracts: number;
  readonly gasUsed: number;
  readonly fees: string;
  readonly tps: number;
  readonly averageBlockTime: number | null;
  readonly transactions24h: number;
  readonly fees24h: string;
}

export function readFigures(deps: FigureDeps, state: ChainState): Promise<StatsFigures> {
  return deps.totals.of('totals', state, () => compute(deps, state));
}

export type Totals = RowOf<'closed_totals'>;

export function readClosedTotals({ closedTotals, database }: ClosedTotalsDeps, state: ChainState): Promise<Totals> {
  const { dayThrough, hourThrough } = state;
  const parameters = { day_through: dayThrough, hour_through: hourThrough };
  return closedTotals.of(`${dayThrough}:${hourThrough}`, state, () => database.readOne('closed_totals', parameters));
}

/** @returns wei */
export async function readBurnedFees(deps: BurnedFeesDeps, state: ChainState): Promise<bigint> {
  const [closed, live] = await Promise.all([readClosedTotals(deps, state), deps.series.open('hour', state)]);
  return [...live.values()].reduce((sum, { counts }) => sum + counts.burned, BigInt(closed.burned));
}

async function compute(deps: FigureDeps, state: ChainState): Promise<StatsFigures> {
  const [closed, live, recent] = await Promise.all([
    readClosedTotals(deps, state),
    deps.series.open('hour', state),
    deps.blockTimes.head(state).then((headTime) => deps.recentBlocks.activity(state, headTime)),
  ]);
  const open = [...live.values()];
  const sum = (name: CountName) => open.reduce((total, { counts }) => total + counts[name], 0n);
  const total = (name: Exclude<keyof Totals, 'addresses'>, counted: CountName) =>
    Number(BigInt(closed[name]) + sum(counted));
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
    fees: String(BigInt(closed.fees) + sum('fees')),
    tps: recent.tps,
    averageBlockTime: recent.averageBlockTime,
    transactions24h: recent.transactions24h,
    fees24h: String(recent.fees24h),
  };
}
