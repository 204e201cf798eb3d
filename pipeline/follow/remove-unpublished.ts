import { removeFinalRows } from '../store/repair-range.ts';
import type { FinalizeParts } from './finalize-blocks.ts';

/**
 * Removes final rows above the finalized block. Their finalization was interrupted, and the nodes may have replaced the
 * blocks.
 */
export async function removeUnpublished({ deps, store, journal }: FinalizeParts): Promise<void> {
  for (const range of [...journal.doneIntervals, ...journal.interrupted]) {
    const left = { ...range, fromBlock: Math.max(range.fromBlock, store.state.finalized + 1) };
    if (left.fromBlock > left.toBlock) continue;
    deps.log.warn({ event: 'unpublished_blocks', ...left });
    await removeFinalRows(deps, left);
    await journal.forget(left); // last: after a kill, the next start continues
  }
}
