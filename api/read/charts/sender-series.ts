import { getFirst } from '#runtime/lists.ts';
import { bucketStart, fixedSeconds, type Resolution } from '../../terms/buckets.ts';
import { ratio } from './decimals.ts';
import { lastSecond, type OwnSeries, type SeriesRequest } from './own-series.ts';
import type { LiveReturn, ReturnName } from './sender-returns.ts';

interface Step {
  readonly day: number;
  readonly total?: number;
  readonly retained?: number;
}

interface Sum {
  readonly total: bigint;
  readonly retained: bigint;
}

interface Kind {
  readonly statement: ReturnName;
  readonly before: 0 | 1;
  readonly after: 0 | 1;
  steps(row: LiveReturn, withinSeconds: number, resolution: Resolution): readonly Step[];
}

const recurringKind: Kind = {
  statement: 'recurring_senders',
  before: 0,
  after: 0,
  steps: ({ day, previous, senders }, within, resolution) => {
    const start = bucketStart(resolution, day);
    return previous < start && previous >= start - within ? [{ day, total: senders }] : [];
  },
};

const churnedKind: Kind = {
  statement: 'churned_senders',
  before: 1,
  after: 0,
  steps: ({ day, previous, senders }, within) => [
    { day: day + within, total: senders },
    ...(previous > 0 && day <= previous + within ? [{ day: previous + within, total: -senders }] : []),
  ],
};

const retainedKind: Kind = {
  statement: 'retained_senders',
  before: 0,
  after: 1,
  steps: ({ day, previous, wasNew, senders }, within) => [
    ...(previous === 0 ? [{ day, total: senders }] : []),
    ...(wasNew && day <= previous + within ? [{ day: previous, retained: senders }] : []),
  ],
};

/** Counts senders that also sent in the `days` before the bucket. */
export const recurring =
  (days: number): OwnSeries =>
  async (request) =>
    totals(await sumReturns(request, recurringKind, days));

/** Counts senders whose last transaction was `days` before a day of the bucket. */
export const churned =
  (days: number): OwnSeries =>
  async (request) =>
    totals(await sumReturns(request, churnedKind, days));

/** Computes the share of new senders that sent again on another day within `days`. */
export const retained =
  (days: number): OwnSeries =>
  async (request) => {
    const sums = await sumReturns(request, retainedKind, days);
    return new Map([...sums].map(([time, { total, retained }]) => [time, ratio(retained, total, 6)]));
  };

const totals = (sums: ReadonlyMap<number, Sum>) => new Map([...sums].map(([time, { total }]) => [time, String(total)]));

async function sumReturns(request: SeriesRequest, kind: Kind, withinDays: number): Promise<Map<number, Sum>> {
  const { deps, state, resolution, starts, headTime } = request;
  const within = withinDays * fixedSeconds.day;
  // rounds down, so that all requests of a day share one cache entry
  const fromTime = Math.max(0, getFirst(starts) - kind.before * within);
  const toTime = bucketStart('day', Math.min(lastSecond(request) + kind.after * within, headTime));
  const window = { period: resolution, within_days: withinDays, from_time: fromTime, to_time: toTime };
  const [closed, live] = await Promise.all([
    deps.senderReturns.closed(state, kind.statement, window),
    deps.series.liveFrom('day', state).then((from) => deps.senderReturns.live(state, from)),
  ]);
  const sums = new Map<number, Sum>();
  const add = (time: number, total: bigint, retained: bigint) => {
    const sum = sums.get(time);
    sums.set(time, { total: (sum?.total ?? 0n) + total, retained: (sum?.retained ?? 0n) + retained });
  };
  for (const { time, total, retained = '0' } of closed) add(time, BigInt(total), BigInt(retained));
  for (const row of live.filter(({ day }) => day >= fromTime && day <= toTime))
    for (const { day, total = 0, retained = 0 } of kind.steps(row, within, resolution))
      if (day <= toTime) add(bucketStart(resolution, day), BigInt(total), BigInt(retained));
  return sums;
}
