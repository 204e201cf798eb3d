/** Tells whether blocks before START_BLOCK can change a chart. */
import type { ChainState } from '#sql/snapshot.ts';
import { assertFirstBlocks, isCertain } from '../chain/freshness.ts';
import type { TimeDeps } from '../reader-deps.ts';
import type { Chart } from './chart.ts';
import type { Point } from './window-buckets.ts';

/** Returns whether a chart adds up all blocks, counts first occurrences, or begins before the first indexed block. */
export async function needsEarlierBlocks(
  { blockTimes }: TimeDeps,
  state: ChainState,
  chart: Pick<Chart, 'kind' | 'countsFirst'>,
  points: readonly Pick<Point, 'time'>[],
): Promise<boolean> {
  if (state.startBlock === 0) return false;
  if (chart.kind === 'growth' || chart.countsFirst) return true;
  const [first, firstTime] = [points[0], await blockTimes.first(state)];
  return first !== undefined && (firstTime === undefined || first.time < firstTime);
}

/** As `isCertain`, also false if blocks before START_BLOCK can change the points. */
export const isWholeChart = async (deps: TimeDeps, state: ChainState, chart: Chart, points: readonly Point[]) =>
  isCertain(state) && !(await needsEarlierBlocks(deps, state, chart, points));

/** @throws ApiProblem bad_query if blocks before START_BLOCK can change the points */
export async function assertNoEarlierBlocks(
  deps: TimeDeps,
  state: ChainState,
  chart: Chart,
  points: readonly Point[],
): Promise<void> {
  if (await needsEarlierBlocks(deps, state, chart, points)) assertFirstBlocks(state, `values of ${chart.id}`);
}
