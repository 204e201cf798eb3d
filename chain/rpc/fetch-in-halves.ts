import { TransportError } from '../errors.ts';
import type { Interval } from '../intervals.ts';

/** Returns whether the node accepts no requests of any size now. */
export const isOutage = (error: unknown) =>
  error instanceof TransportError && (error.reason === 'refused' || error.reason === 'throttled');

/**
 * Fetches a range of blocks, and its halves after an error: the reply may be too large, or one block may be bad.
 * @returns the results of `fetchRange` for each part, in order
 * @throws the error of a single block, after all other parts were fetched
 */
export async function fetchInHalves<T>(
  range: Interval,
  fetchRange: (range: Interval) => Promise<T>,
  signal?: AbortSignal,
): Promise<T[]> {
  const { fromBlock, toBlock } = range;
  try {
    return [await fetchRange(range)];
  } catch (error) {
    if (fromBlock === toBlock || signal?.aborted || isOutage(error)) throw error;
    const middle = Math.floor((fromBlock + toBlock) / 2);
    const halves = [
      { fromBlock, toBlock: middle },
      { fromBlock: middle + 1, toBlock },
    ];
    const done = await Promise.allSettled(halves.map((half) => fetchInHalves(half, fetchRange, signal)));
    return done.flatMap((half) => {
      if (half.status === 'rejected') throw half.reason;
      return half.value;
    });
  }
}
