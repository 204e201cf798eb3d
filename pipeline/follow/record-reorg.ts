/**
 * Records every reorg. The state that hides the old branch contains the intent, so a pipeline killed before the insert
 * into `reorgs` does it at its next start.
 */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

export interface Reorg {
  /** Time of detection, Unix milliseconds; with the fork it identifies the reorg. */
  readonly detectedMs: number;
  readonly forkBlock: number;
  /** Lowest first. */
  readonly removed: readonly string[];
  /** Blocks of the new branch known at that time, lowest first. */
  readonly added: readonly string[];
  /** Finalized rows above the fork are removed too. */
  readonly isRewind?: boolean;
}

export function reorgIntent({ reorgIntent }: { readonly reorgIntent: string }): Reorg | undefined {
  return reorgIntent === '' ? undefined : (JSON.parse(reorgIntent) as Reorg);
}

/** Stores the reorg; readers ignore duplicates. */
export async function recordReorg(database: Database, reorg: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(reorg.detectedMs);
  w.uint64(reorg.forkBlock);
  w.uint32(reorg.removed.length);
  w.fixedArray(reorg.removed, 32);
  w.fixedArray(reorg.added, 32);
  await database.insertRowBinary('reorgs', w.view());
}

/** Stores a reorg that an ended pipeline or a failed step left unrecorded. */
export async function recordIntent(database: Database, store: ChainStateStore): Promise<void> {
  const intent = reorgIntent(store.state);
  if (!intent) return;
  await recordReorg(database, intent);
  await store.publish({ reorgIntent: '' });
}
