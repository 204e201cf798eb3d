import { z } from 'zod';
import { type ChainState, finalThrough, isDoubted } from '#sql/snapshot.ts';

export const Finality = z.enum(['final', 'unsettled', 'doubted']).meta({
  description:
    'final: no reorg is expected to replace the block. unsettled: a reorg can still replace it. doubted: a node contradicts this block or a finalized block below it, so do not credit its transactions',
});

export function getFinality(state: ChainState, block: number): z.output<typeof Finality> {
  if (isDoubted(state, block)) return 'doubted';
  return block <= finalThrough(state) ? 'final' : 'unsettled';
}

/** Returns 0 if a node contradicts the block, or a finalized block below it. */
export function countConfirmations(state: ChainState, block: number): number {
  return isDoubted(state, block) ? 0 : state.head - block;
}
