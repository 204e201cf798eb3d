/** Copies transactions of removed blocks, so that their state can be reported after a reorg. */
import type { StoreDeps } from '../deps.ts';

/** Copies unfinalized transactions above a block. A repeated call changes nothing. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
