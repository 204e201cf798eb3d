/** Saves transactions before a reorg removes them, so that their fate can be reported. */
import type { StoreDeps } from '../deps.ts';

/** Copies transactions of unfinalized blocks above a height; safe to repeat. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

/** Includes finalized blocks. */
export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
