/** Their fate can be reported after a reorg. */
import type { StoreDeps } from '../deps.ts';

/** Copies unfinalized transactions; safe to repeat. */
export function keepOrphans({ database }: StoreDeps, above: number, head: number): Promise<void> {
  return database.execute('keep_orphans', { above, head });
}

/** Copies finalized ones too. */
export function keepFinalizedOrphans({ database }: StoreDeps, above: number): Promise<void> {
  return database.execute('keep_finalized_orphans', { above });
}
