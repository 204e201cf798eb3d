/** Converts the times of Blockscout's lists (starttimestamp, endtimestamp) to blocks. */
import type { ChainState } from '#sql/snapshot.ts';
import { getCoverage } from '../read/chain/freshness.ts';
import type { CoverageDeps, TimeDeps } from '../read/reader-deps.ts';
import { notIndexed } from './covered.ts';

/** Unix seconds, both inclusive. */
export interface AskedTimes {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/**
 * Returns the first block of the times, and the first block after them; undefined: they have no end.
 * @throws CompatibleError if blocks that are not indexed yet may be before the end
 */
export async function readTimeBounds(deps: CoverageDeps & TimeDeps, state: ChainState, { start, end }: AskedTimes) {
  const [from, after] = await Promise.all([
    start === undefined ? 0 : firstBlockFrom(deps, state, start),
    end === undefined ? undefined : deps.blockTimes.blockAt(state, end + 1),
  ]);
  if (end !== undefined && after === undefined && end < Date.now() / 1000)
    throw notIndexed(`blocks after block ${state.head} may be before endtimestamp: no later block is indexed`);
  return { from, after };
}

/** Returns the first block at or after a time. It may be one that is not indexed, and then the list is refused. */
async function firstBlockFrom(deps: CoverageDeps & TimeDeps, state: ChainState, time: number): Promise<number> {
  const first = await deps.blockTimes.blockAt(state, time);
  if (first === undefined) return state.head + 1;
  const gap = getCoverage(deps, state, 0, first).gaps.find(({ to }) => to === first - 1);
  return gap?.from ?? first;
}
