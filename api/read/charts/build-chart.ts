import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart, isFixed, nextBucket, type Resolution } from '../../terms/buckets.ts';
import { knowsTrades } from '../market/trades.ts';
import type { Chart } from './chart.ts';
import type { ChartDeps } from './own-series.ts';
import type { Series } from './series-reader.ts';
import { readTradeSeries } from './trade-series.ts';
import { type Point, readWindowBuckets, type WindowQuery } from './window-buckets.ts';

interface ChartRequest extends WindowQuery {
  /** Address or method id (padded with zeros) that the chart shows, 40 hex digits. */
  readonly subject?: string | undefined;
}

/** @throws ApiProblem bad_query if the time range has too many buckets, or `from` is after `to` */
export async function buildChart(
  deps: ChartDeps,
  state: ChainState,
  chart: Chart,
  query: ChartRequest,
): Promise<Point[]> {
  const { resolution } = query;
  const { tradeValue } = chart;
  const ownSeries = chart.ownSeries ?? (isFixed(resolution) ? undefined : chart.periodSeries);
  const usesSeries = !tradeValue && !ownSeries && isFixed(resolution);
  if (usesSeries) deps.series.open(resolution, state).catch(() => undefined);
  const window = await readWindowBuckets(deps, state, query);
  if (!window) return [];
  const { starts, headTime } = window;
  const [from, to] = [getFirst(starts), getLast(starts)];
  if (tradeValue) {
    const trades = await readTradeSeries(deps, state, resolution, from, to);
    const none = chart.kind === 'flow' && (await knowsTrades(deps, state)) ? '0' : null;
    return starts.map((time) => {
      const [sum, end] = [trades.get(time), nextBucket(resolution, time)];
      return { time, end, value: sum ? tradeValue(sum) : none, partial: lastTradeEnd(time, end) > headTime };
    });
  }
  if (ownSeries) {
    const subject = query.subject ?? '';
    const values = await ownSeries({ deps, state, resolution, starts, headTime, subject });
    const none = values === undefined || chart.kind === 'rate' ? null : '0';
    return starts.map((time) => {
      const end = nextBucket(resolution, time);
      const value = values?.get(time) ?? none;
      const lastChange = chart.tables.includes('swaps') ? lastTradeEnd(time, end) : end + (chart.openSeconds ?? 0);
      return { time, end, value, partial: lastChange > headTime };
    });
  }
  const { series, total } = await readWindow(deps, state, chart, resolution, from, to);
  return toPoints(chart, resolution, starts, series, total, headTime);
}

/** Returns when a value is final: later trades of the day change its median, which decides which trades count. */
const lastTradeEnd = (time: number, end: number) => Math.max(end, nextBucket('day', bucketStart('day', time)));

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
    const none = chart.kind === 'flow' ? '0' : null;
    const value = chart.showTotal?.(total) ?? (figures ? chart.value(figures) : none);
    return { time, end, value, partial: end > headTime };
  });
}
