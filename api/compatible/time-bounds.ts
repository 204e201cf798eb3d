/** Converts Blockscout's starttimestamp and endtimestamp to blocks. */
import type { ChainState } from '#sql/snapshot.ts';
import { chainHead, getCoverage } from '../read/chain/freshness.ts';
import type { CoverageDeps, TimeDeps } from '../read/reader-deps.ts';
import { assertCovered, assertNotSilent, notIndexed } from './covered.ts';

/** Age of a block time after which no further block with an earlier time arrives, ms. */
const arrivalMs = 15_000;

/** Unix seconds, both inclusive. */
export interface AskedTimes {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/**
 * Returns the first block of the time range, and the first block after it (undefined: no end).
 * @param isLimited the request names an indexed last block, so later blocks don't matter
 * @throws CompatibleError if blocks at the head are missing or can still arrive, or no node answers
 */
export async function readTimeBounds(
  deps: CoverageDeps & TimeDeps,
  state: ChainState,
  { start, end }: AskedTimes,
  isLimited: boolean,
) {
  const [from, after] = await Promise.all([
    start === undefined ? 0 : firstBlockFrom(deps, state, start),
    end === undefined ? undefined : deps.blockTimes.blockAt(state, end + 1),
  ]);
  const ageMs = Date.now() - 1_000 * (end ?? Number.POSITIVE_INFINITY);
  const isUndecided = after === undefined && ageMs > 0 && !isLimited;
  if (isUndecided) {
    assertCovered(deps, state, state.head, chainHead(deps, state));
    assertNotSilent(deps, state);
    // a client that reads one time window after another would never see a block that arrives later
    const isNext = end !== undefined && (await deps.blockTimes.head(state)) < end; // later blocks have later times
    if (isNext && ageMs < arrivalMs) throw notIndexed(`a block of the time ${end} can still arrive`);
  }
  return { from, after };
}

/**
 * Returns the first block at or after a time, or the first of the missing blocks right before it: then the list is
 * rejected.
 */
async function firstBlockFrom(deps: CoverageDeps & TimeDeps, state: ChainState, time: number): Promise<number> {
  const first = await deps.blockTimes.blockAt(state, time);
  if (first === undefined) return state.head + 1;
  const gap = getCoverage(deps, state, 0, first).gaps.find(({ to }) => to === first - 1);
  return gap?.from ?? first;
}
