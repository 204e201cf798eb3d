/**
 * Keeps every reorg as data. The intent stands in the very state that hides the old branch, so a pipeline that is killed
 * before it is stored in `reorgs` stores it when it starts again.
 */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

export interface Reorg {
  /** When it was seen, Unix milliseconds: together with the fork the identity of the reorg. */
  readonly detectedMs: number;
  readonly forkBlock: number;
  /** Hashes of the removed blocks, lowest first. */
  readonly removed: readonly string[];
  /** Hashes of the new branch as far as it was known, lowest first. */
  readonly added: readonly string[];
  /** Rows of final blocks have to go too: everything above the fork is taken out of the database. */
  readonly isRewind?: boolean;
}

/** The reorg that a state has under way; undefined: none. */
export function reorgIntent({ reorgIntent }: { readonly reorgIntent: string }): Reorg | undefined {
  return reorgIntent === '' ? undefined : (JSON.parse(reorgIntent) as Reorg);
}

/** Stores the reorg; the same one again is left out by who reads them. */
export async function recordReorg(database: Database, reorg: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(reorg.detectedMs);
  w.uint64(reorg.forkBlock);
  w.uint32(reorg.removed.length);
  w.fixedArray(reorg.removed, 32);
  w.fixedArray(reorg.added, 32);
  await database.insertRowBinary('reorgs', w.view());
}

/** Stores a reorg that was under way when its pipeline ended, or its step failed. */
export async function recordIntent(database: Database, store: ChainStateStore): Promise<void> {
  const intent = reorgIntent(store.state);
  if (!intent) return;
  await recordReorg(database, intent);
  await store.publish({ reorgIntent: '' });
}
