/** Senders who come back, stay away or are kept, by day, week, month or year: from returns of closed days, and rows behind them. */
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { fixedSeconds } from './buckets.ts';
import { ratio } from './decimals.ts';
import { lastMoment, type OwnSeries, type SeriesRequest } from './own-series.ts';

interface ReturnRecord {
  time: number;
  total: string;
  /** Of retained_senders alone. */
  retained?: string;
}

/** Senders of the bucket who had sent in the days before it too. */
export const recurring =
  (days: number): OwnSeries =>
  async (request) =>
    totals(await readReturns(request, 'recurring_senders', days, 0, 0));

/** Senders who had not sent for so many days on a day of the bucket, and had until then. */
export const churned =
  (days: number): OwnSeries =>
  async (request) =>
    totals(await readReturns(request, 'churned_senders', days, days, 0));

/** Of the senders who came in the bucket the share that sent again on another day soon. */
export const retained =
  (days: number): OwnSeries =>
  async (request) => {
    const rows = await readReturns(request, 'retained_senders', days, 0, days);
    return new Map(rows.map(({ time, total, retained }) => [time, ratio(BigInt(retained!), BigInt(total), 6)]));
  };

const totals = (rows: readonly ReturnRecord[]) => new Map(rows.map(({ time, total }) => [time, total]));

/** @param before and after how many days around the window are looked at */
async function readReturns(
  request: SeriesRequest,
  name: string,
  withinDays: number,
  before: number,
  after: number,
): Promise<ReturnRecord[]> {
  const { deps, state, resolution, starts, headTime } = request;
  const day = fixedSeconds.day;
  return deps.database.read<ReturnRecord>(getStatement(deps.statements, name), {
    ...snapshotParameters(state),
    ...{ period: resolution, within_days: withinDays, day_through: state.dayThrough, window_day: state.dayThrough },
    from_time: Math.max(0, starts[0]! - before * day),
    to_time: Math.min(lastMoment(request) + after * day, headTime),
    from_block: await deps.series.liveFrom('day', state),
  });
}
