import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart, bucketsBetween, isFixed, nextBucket, type Resolution } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { TimeDeps } from '../reader-deps.ts';
import type { Chart } from './chart.ts';
import type { ChartDeps } from './own-series.ts';
import type { Series } from './series-reader.ts';
import { readTradeSeries } from './trade-series.ts';

export interface Point {
  /** Start of a time bucket and of the next one, Unix seconds. */
  readonly time: number;
  readonly end: number;
  /** The value is null if the chart shows an average or a share and the time bucket has no data. */
  readonly value: string | null;
  readonly partial: boolean;
}

interface ChartQuery {
  readonly resolution: Resolution;
  /** Start of the time range, Unix seconds, inclusive; default: the last `defaultPoints` time buckets. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Address or method id (padded with zeros) that the chart is about, 40 hex digits. */
  readonly subject?: string | undefined;
}

const maxPoints = 50_000;
const defaultPoints: Record<Resolution, number> = { '5min': 288, hour: 168, day: 30, week: 53, month: 24, year: 100 };

/**
 * Computes the points of a chart.
 * @throws ApiProblem bad_query if the time range has too many time buckets, or `from` is after `to`
 */
export async function buildChart(
  deps: ChartDeps,
  state: ChainState,
  chart: Chart,
  query: ChartQuery,
): Promise<Point[]> {
  const { resolution } = query;
  const { tradeValue, ownSeries } = chart;
  const usesSeries = !tradeValue && !ownSeries && isFixed(resolution);
  if (usesSeries) deps.series.open(resolution, state).catch(() => undefined);
  const window = await readWindowBuckets(deps, state, query);
  if (!window) return [];
  const { starts, headTime } = window;
  const [from, to] = [getFirst(starts), getLast(starts)];
  if (tradeValue) {
    const trades = await readTradeSeries(deps, state, resolution, from, to);
    const none = chart.kind === 'flow' ? '0' : null;
    return starts.map((time) => {
      const [sum, end] = [trades.get(time), nextBucket(resolution, time)];
      return { time, end, value: sum ? tradeValue(sum) : none, partial: end > headTime };
    });
  }
  if (ownSeries) {
    const subject = query.subject ?? '';
    const values = await ownSeries({ deps, state, resolution, starts, headTime, subject });
    return starts.map((time) => {
      const end = nextBucket(resolution, time);
      const value = values.get(time) ?? (chart.kind === 'rate' ? null : '0');
      return { time, end, value, partial: end + (chart.openSeconds ?? 0) > headTime };
    });
  }
  const { series, total } = await readWindow(deps, state, chart, resolution, from, to);
  return toPoints(chart, resolution, starts, series, total, headTime);
}

export interface WindowBuckets {
  /** Starts of the time buckets, Unix seconds, oldest first, at least one. */
  readonly starts: readonly number[];
  /** Time of the newest block, Unix seconds. */
  readonly headTime: number;
}

/**
 * Returns the time buckets of a time range, from the first block to the newest one; undefined if there is none.
 * @throws ApiProblem bad_query if the range has too many time buckets, or `from` is after `to`
 */
export async function readWindowBuckets(
  { blockTimes }: TimeDeps,
  state: ChainState,
  { resolution, ...query }: Pick<ChartQuery, 'resolution' | 'from' | 'to'>,
): Promise<WindowBuckets | undefined> {
  const [oldest, headTime] = await Promise.all([blockTimes.first(state), blockTimes.head(state)]);
  if (oldest === undefined) return undefined;
  if (query.from !== undefined && query.to !== undefined && query.from > query.to)
    throw new ApiProblem('bad_query', 'from must not be after to');
  const to = bucketStart(resolution, Math.min(headTime, query.to ?? headTime));
  const from = Math.max(
    bucketStart(resolution, oldest),
    query.from === undefined ? defaultStart(resolution, to) : bucketStart(resolution, query.from),
  );
  if (from > to) return undefined;
  const starts = bucketsBetween(resolution, from, Math.min(to, from + 400 * 366 * 86_400));
  if (starts.length > maxPoints)
    throw new ApiProblem(
      'bad_query',
      `the window has ${starts.length} buckets, at most ${maxPoints} are allowed: narrow from and to, or use a coarser resolution`,
    );
  return { starts, headTime };
}

const defaultStart = (resolution: Resolution, to: number) => {
  let start = to;
  for (let i = 1; i < defaultPoints[resolution]; i++) start = bucketStart(resolution, Math.max(0, start - 1));
  return start;
};

async function readWindow(
  deps: ChartDeps,
  state: ChainState,
  chart: Chart,
  resolution: Resolution,
  from: number,
  to: number,
) {
  if (!chart.part)
    return { series: await deps.series.read(resolution, state, { from, to }, chart.readsActive), total: 0n };
  const part = chart.part;
  const series = await deps.series.readWithEarlier(resolution, state, { from, to });
  const before = [...series].filter(([time]) => time < from);
  return { series, total: before.reduce((sum, [, figures]) => sum + part(figures), 0n) };
}

function toPoints(
  chart: Chart,
  resolution: Resolution,
  starts: readonly number[],
  series: Series,
  before: bigint,
  headTime: number,
): Point[] {
  let total = before;
  return starts.map((time) => {
    const figures = series.get(time);
    const end = nextBucket(resolution, time);
    if (chart.part && figures) total += chart.part(figures);
    const value = chart.part ? String(total) : figures ? chart.value(figures) : chart.kind === 'flow' ? '0' : null;
    return { time, end, value, partial: end > headTime };
  });
}
