/** Finds the block that a request selects by number or time. */
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { TimeDeps } from '../reader-deps.ts';
import { assertFirstBlocks } from './freshness.ts';

export interface BlockOrTime {
  readonly block?: number | undefined;
  /** Unix seconds. */
  readonly time?: number | undefined;
}

/**
 * Returns the block, or the last block at or before the time; undefined if neither is given.
 * @throws ApiProblem bad_query if both are given, or the time is before the first block or in the future; indexing if
 *   no block after the time is indexed yet
 */
export async function selectBlock(
  deps: TimeDeps,
  state: ChainState,
  { block, time }: BlockOrTime,
): Promise<number | undefined> {
  if (block !== undefined && time !== undefined) throw new ApiProblem('bad_query', 'send either a block or a time');
  return block ?? (time === undefined ? undefined : lastBlockAt(deps, state, time));
}

async function lastBlockAt(deps: TimeDeps, state: ChainState, time: number): Promise<number> {
  const next = await deps.blockTimes.blockAt(state, time + 1);
  if (next === undefined) throw undecided(state, time);
  if (next === state.startBlock) {
    assertFirstBlocks(state, 'blocks at this time');
    throw new ApiProblem('bad_query', 'the time is before the first block');
  }
  return next - 1;
}

/** Only a later indexed block proves which block is the last before a time: a stopped node reports no newer block. */
function undecided({ head }: ChainState, time: number): ApiProblem {
  if (time > Date.now() / 1000)
    return new ApiProblem(
      'bad_query',
      `the time ${time} is in the future: send an earlier time, or none for the newest`,
    );
  return new ApiProblem(
    'indexing',
    `blocks after block ${head} may be before the time ${time}: no later block is indexed`,
  );
}
