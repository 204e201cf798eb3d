import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import type { Pin } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { TimeDeps } from '../reader-deps.ts';

export interface WindowQuery {
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  /** Unix seconds, inclusive. */
  readonly fromTime?: number | undefined;
  readonly toTime?: number | undefined;
}

export interface BlockWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Converts a range of blocks or times to block numbers up to `head`. An empty range has fromBlock above toBlock.
 * @throws ApiProblem bad_query if the times are in the wrong order
 */
export async function blockWindow(
  { blockTimes }: TimeDeps,
  state: ChainState,
  { head }: Pick<Pin, 'head'>,
  { fromBlock = 0, toBlock = head, fromTime, toTime }: WindowQuery,
): Promise<BlockWindow> {
  if (fromTime !== undefined && toTime !== undefined && fromTime > toTime)
    throw new ApiProblem('bad_query', `fromTime must not be later than toTime, got ${fromTime} and ${toTime}`);
  const firstAt = async (time: number) => (await blockTimes.blockAt(state, time)) ?? head + 1;
  const [low, above] = await Promise.all([
    fromTime === undefined ? 0 : firstAt(fromTime),
    toTime === undefined ? head + 1 : firstAt(toTime + 1),
  ]);
  const window = { fromBlock: Math.max(fromBlock, low), toBlock: Math.min(toBlock, head, above - 1) };
  return window.toBlock < 0 ? { fromBlock: Math.max(window.fromBlock, 1), toBlock: 0 } : window;
}

/**
 * Returns whether all blocks of a range are finalized. A time range is finalized when a finalized block is later than
 * its end. A range without end is finalized, because it ends with the newest finalized block.
 * @param found the range's blocks up to the last finalized block
 */
export function isFinalRange(state: ChainState, { toBlock, toTime }: WindowQuery, found: BlockWindow): boolean {
  const finalized = finalThrough(state);
  if (toTime !== undefined && found.toBlock < finalized) return true;
  return toBlock === undefined ? toTime === undefined : toBlock <= finalized;
}

export const firstOfNewest = ({ head, startBlock }: ChainState, count: number): number =>
  Math.max(startBlock, head - count + 1);
