import type { ChainState } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { readMark, writeMark } from './job-marks.ts';

const blocksAtOnce = 20_000;

/**
 * Processes the next finalized blocks of a background job.
 * @param process gets the bounds of the range, inclusive, and the newest finalized block; may run again for a range
 * @returns true if blocks are left
 */
export async function processBlocks(
  deps: PipelineDeps,
  state: ChainState,
  job: string,
  process: (from: number, to: number, finalized: number) => Promise<void>,
): Promise<boolean> {
  const finalized = finalizedThrough(state);
  if (finalized === undefined) return false;
  const from = Math.max((await readMark(deps, job)) + 1, state.startBlock);
  const to = Math.min(finalized, from + blocksAtOnce - 1);
  if (from > to) return false;
  await process(from, to, finalized);
  await writeMark(deps, job, to);
  return to < finalized;
}
