/** Copies transactions of removed blocks, so that their state can be reported after a reorg. */
import type { StoreDeps } from '../deps.ts';

/** Copies the unfinalized transactions above a block; a repeated call changes nothing. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

/** Copies the transactions above a block, also finalized ones. */
export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
