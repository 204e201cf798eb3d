/** How firmly a block stands: the only place that says of a block that it is final, or how deep it is. */
import { z } from 'zod';
import { type ChainState, finalThrough, isDoubted } from '#sql/snapshot.ts';

export const Finality = z.enum(['final', 'unsettled', 'doubted']).meta({
  description:
    'doubted: a node contradicts this block or one below it although it was settled; nothing is to be credited',
});

export function finalityOf(state: ChainState, block: number): z.output<typeof Finality> {
  if (isDoubted(state, block)) return 'doubted';
  return block <= finalThrough(state) ? 'final' : 'unsettled';
}

/** Blocks that stand on a block; 0 for one that a node contradicts. */
export function confirmationsOf(state: ChainState, block: number): number {
  return isDoubted(state, block) ? 0 : state.head - block;
}
