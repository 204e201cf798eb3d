import { splitIntoChunks } from '#runtime/lists.ts';
import { readMark } from '#sql/job-marks.ts';
import type { StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { finalizedThrough } from '../store/rollups.ts';
import { runFew } from '../store/run-few.ts';
import { writeMark } from './job-marks.ts';

interface Job {
  readonly name: string;
  readonly blocksAtOnce: number;
  /** Processes a range, both bounds inclusive. May run again for the same range. */
  process(from: number, to: number, newest: NewestBlock): Promise<void>;
}

/**
 * Returns the newest block whose state a job may read: finalized, without gaps below. Call it before each request,
 * because nodes keep few states and a step may outlast them.
 */
export type NewestBlock = () => number;

/** @param known newest finalized block now, used while a repair hides all blocks */
export const trackNewest =
  (store: ChainStateStore, known: number): NewestBlock =>
  () =>
    finalizedThrough(store.state) ?? known;

/** Processes the next finalized blocks of a background job. @returns true if blocks are left */
export async function processBlocks(
  deps: StoreDeps,
  store: ChainStateStore,
  { name, blocksAtOnce, process }: Job,
): Promise<boolean> {
  const { startBlock } = store.state;
  const { finalizedChanges } = store;
  const finalized = finalizedThrough(store.state);
  if (finalized === undefined) return false;
  const from = Math.max((await readMark(deps, name)) + 1, startBlock);
  const to = Math.min(finalized, from + blocksAtOnce - 1);
  if (from > to) return false;
  await process(from, to, trackNewest(store, finalized));
  // if rows were replaced during this step, the same blocks are processed again
  const isOutdated = () => store.finalizedChanges !== finalizedChanges;
  if (isOutdated()) return true;
  await writeMark(deps, name, to, isOutdated);
  return to < finalized;
}

/**
 * Calls `run` with parts of a list of at most `size` items, four at a time.
 * @throws the first error of `run`; then starts no further parts
 */
export async function forBatches<T>(
  list: readonly T[],
  size: number,
  run: (part: readonly T[]) => Promise<void>,
): Promise<void> {
  await runFew(splitIntoChunks(list, size).map((part) => () => run(part)));
}
