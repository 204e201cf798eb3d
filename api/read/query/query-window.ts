import { known } from '#runtime/known.ts';
import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { nextBucket } from '../../terms/buckets.ts';
import { assertTraced } from '../accounts/internal-calls/traced-reader.ts';
import { assertCovered, assertFirstBlocks } from '../chain/freshness.ts';
import { readWindowBuckets } from '../charts/window-buckets.ts';
import type { DatasetName } from './datasets.ts';
import type { QueryDeps, StatsQuery } from './stats-query.ts';

export interface QueryWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Unix seconds. From the start of the first time bucket to the end of the last one (exclusive). */
  readonly fromTime: number;
  readonly toTime: number;
  readonly starts: readonly number[];
  readonly headTime: number;
}

/** Datasets that need traces of all blocks, with what would be missing without them. */
const ofTraces: Partial<Record<DatasetName, string>> = {
  internal_creations: 'creations',
  native_transfers: 'internal transfers',
};

export async function readQueryWindow(
  deps: QueryDeps,
  state: ChainState,
  query: StatsQuery,
): Promise<QueryWindow | undefined> {
  const { resolution, from, to } = query;
  const isAll = resolution === 'all';
  const buckets = await readWindowBuckets(deps, state, {
    resolution: isAll ? 'year' : resolution,
    from: isAll ? (from ?? 0) : from,
    to,
  });
  if (!buckets) return undefined;
  const { starts, headTime } = buckets;
  const fromTime = isAll ? (from ?? known(await deps.blockTimes.first(state), 'the first block')) : getFirst(starts);
  const toTime = isAll ? Math.min(to ?? headTime, headTime) + 1 : nextBucket(resolution, getLast(starts));
  const [fromBlock, after] = await Promise.all([
    deps.blockTimes.blockAt(state, fromTime),
    toTime > headTime ? undefined : deps.blockTimes.blockAt(state, toTime),
  ]);
  if (fromBlock === undefined) return undefined;
  const toBlock = after === undefined ? state.head : after - 1;
  if (toBlock < fromBlock) return undefined;
  return { starts: isAll ? [] : starts, headTime, fromTime, toTime, fromBlock, toBlock };
}

/**
 * Checks that the blocks of the range are indexed. Also checks the block before: without it, the range could begin
 * later than requested. Running totals and first occurrences need all earlier blocks.
 * @throws ApiProblem indexing, bad_query
 */
export async function assertIndexed(
  deps: QueryDeps,
  state: ChainState,
  { of, isCumulative, measure }: StatsQuery,
  window: QueryWindow | undefined,
): Promise<void> {
  const needsAll = !window || isCumulative || measure === 'new';
  assertNoFirsts(state, { isCumulative, measure });
  const from = needsAll ? state.startBlock : Math.max(state.startBlock, window.fromBlock - 1);
  const range = { from, to: window?.toBlock ?? state.head };
  assertCovered(deps, state, range, 'the time range is incomplete');
  const missing = ofTraces[of];
  if (missing !== undefined)
    await assertTraced(
      deps.traced,
      state,
      range,
      `blocks of the time range have no traces, so ${missing} may be missing`,
    );
}

/** @throws ApiProblem bad_query if the query needs blocks before START_BLOCK */
export function assertNoFirsts(
  state: ChainState,
  { isCumulative, measure }: Pick<StatsQuery, 'isCumulative' | 'measure'>,
) {
  if (isCumulative) assertFirstBlocks(state, 'running totals');
  if (measure === 'new') assertFirstBlocks(state, 'first occurrences');
}
