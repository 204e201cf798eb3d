/** Keeps what a reorg is about to take away, so that one can still say what became of it. */
import type { StoreDeps } from '../deps.ts';

/** Copies the transactions of the unsettled blocks above a height; repeating it is safe. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

/** The same of all blocks above a height, final ones too. */
export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
