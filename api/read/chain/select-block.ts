/** Finds the block that a request names by its number or by a time. */
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { CoverageDeps, TimeDeps } from '../reader-deps.ts';
import { assertCovered, chainHead, describeSilence, isSilent } from './freshness.ts';

export interface BlockOrTime {
  readonly block?: number | undefined;
  /** Unix seconds. */
  readonly time?: number | undefined;
}

/**
 * Returns the block, or the last block at or before the time; undefined if neither is given.
 * @throws ApiProblem bad_query if both are given, or the time is before the first block or in the future; indexing if
 *   blocks that are not indexed yet may be before the time
 */
export async function selectBlock(
  deps: CoverageDeps & TimeDeps,
  state: ChainState,
  { block, time }: BlockOrTime,
): Promise<number | undefined> {
  if (block !== undefined && time !== undefined) throw new ApiProblem('bad_query', 'send either a block or a time');
  return block ?? (time === undefined ? undefined : lastBlockAt(deps, state, time));
}

async function lastBlockAt(deps: CoverageDeps & TimeDeps, state: ChainState, time: number): Promise<number> {
  const next = await deps.blockTimes.blockAt(state, time + 1);
  if (next === undefined) {
    assertIsLast(deps, state, time);
    return state.head;
  }
  if (next === state.startBlock) throw new ApiProblem('bad_query', 'the time is before the first block');
  return next - 1;
}

/** Checks that no block after the newest indexed one can be before a time. */
function assertIsLast(deps: CoverageDeps, state: ChainState, time: number): void {
  const what = `blocks after block ${state.head} may be before the time ${time}`;
  if (time > Date.now() / 1000)
    throw new ApiProblem(
      'bad_query',
      `the time ${time} is in the future: send an earlier time, or none for the newest`,
    );
  assertCovered(deps, state, { from: state.head, to: chainHead(deps, state) }, what);
  if (isSilent(deps, state)) throw new ApiProblem('indexing', `${what}: ${describeSilence(state)}`);
}
