/** Checks whether blocks before START_BLOCK can change a chart. */
import type { ChainState } from '#sql/snapshot.ts';
import { assertFirstBlocks, isCertain } from '../chain/freshness.ts';
import type { TimeDeps } from '../reader-deps.ts';
import type { Chart } from './chart.ts';
import type { Point } from './window-buckets.ts';

/** Requested time range, Unix seconds, and the time buckets of the reply. */
export interface ChartRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly points: readonly Pick<Point, 'time'>[];
}

/** Returns whether the chart needs all blocks, or begins before the first indexed block. */
export async function needsEarlierBlocks(
  { blockTimes }: TimeDeps,
  state: ChainState,
  chart: Pick<Chart, 'kind' | 'needsAllBlocks'>,
  { from, to, points }: ChartRange,
): Promise<boolean> {
  if (state.startBlock === 0) return false;
  if (chart.kind === 'growth' || chart.needsAllBlocks) return true;
  const firstTime = (await blockTimes.first(state)) ?? Number.POSITIVE_INFINITY;
  return [from ?? to, points[0]?.time].some((time) => time !== undefined && time < firstTime);
}

/** Same as `isCertain`, but false if blocks before START_BLOCK can change the points. */
export const isWholeChart = async (deps: TimeDeps, state: ChainState, chart: Chart, range: ChartRange) =>
  isCertain(state) && !(await needsEarlierBlocks(deps, state, chart, range));

/** @throws ApiProblem bad_query if blocks before START_BLOCK can change the points */
export async function assertNoEarlierBlocks(
  deps: TimeDeps,
  state: ChainState,
  chart: Chart,
  range: ChartRange,
): Promise<void> {
  if (await needsEarlierBlocks(deps, state, chart, range)) assertFirstBlocks(state, `values of ${chart.id}`);
}
