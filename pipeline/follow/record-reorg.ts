/**
 * The state that hides the old branch contains the intent: a pipeline killed before the insert into `reorgs` does it at
 * its next start.
 */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

export interface Reorg {
  /** Time of detection; with the fork it identifies the reorg. */
  readonly detectedMs: number;
  readonly forkBlock: number;
  /** Lowest first. */
  readonly removed: readonly string[];
  /** Known at that time, lowest first. */
  readonly added: readonly string[];
  /** Finalized rows are removed too. */
  readonly isRewind?: boolean;
}

export function reorgIntent({ reorgIntent }: { readonly reorgIntent: string }): Reorg | undefined {
  return reorgIntent === '' ? undefined : (JSON.parse(reorgIntent) as Reorg);
}

/** Repeatable: readers ignore duplicates. */
export async function recordReorg(database: Database, reorg: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(reorg.detectedMs);
  w.uint64(reorg.forkBlock);
  w.uint32(reorg.removed.length);
  w.fixedArray(reorg.removed, 32);
  w.fixedArray(reorg.added, 32);
  await database.insertRowBinary('reorgs', w.view());
}

/** For a pipeline that ended, or a step that failed, before recordReorg. */
export async function recordIntent(database: Database, store: ChainStateStore): Promise<void> {
  const intent = reorgIntent(store.state);
  if (!intent) return;
  await recordReorg(database, intent);
  await store.publish({ reorgIntent: '' });
}
