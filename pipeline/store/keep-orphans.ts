/** Copies transactions of removed blocks, so that their state can be reported after a reorg. */
import type { StoreDeps } from '../deps.ts';

/** Copies unfinalized transactions above a block before a reorg removes them. A repeated call changes nothing. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

/** Copies all transactions above a block, also finalized ones, before a rewind removes them. */
export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
