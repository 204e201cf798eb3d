/** Copies transactions of removed blocks, to report their state after a reorg. */
import type { StoreDeps } from '../deps.ts';

/** A repeated call changes nothing. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
