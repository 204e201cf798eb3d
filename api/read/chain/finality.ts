/** Functions that decide whether a block is finalized; no other code decides it. */
import { z } from 'zod';
import { type ChainState, finalThrough, isDoubted } from '#sql/snapshot.ts';

export const Finality = z.enum(['final', 'unsettled', 'doubted']).meta({
  description: 'doubted: a node contradicts this finalized block or one below it: do not credit anything',
});

export function getFinality(state: ChainState, block: number): z.output<typeof Finality> {
  if (isDoubted(state, block)) return 'doubted';
  return block <= finalThrough(state) ? 'final' : 'unsettled';
}

/** Returns the number of confirmations; 0 if a node contradicts the block. */
export function countConfirmations(state: ChainState, block: number): number {
  return isDoubted(state, block) ? 0 : state.head - block;
}
