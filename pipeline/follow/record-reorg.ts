/**
 * Records reorgs in the table `reorgs`. The row of `chain_state` that hides the old branch contains the reorg too:
 * after a kill, the next start inserts it.
 */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

export interface Reorg {
  /** Time of detection, Unix ms, see `detectionTime`; identifies the reorg together with the fork block. */
  readonly detectedMs: number;
  readonly forkBlock: number;
  /** Hashes of removed blocks, lowest first. */
  readonly removed: readonly string[];
  /** Hashes of the new branch, lowest first. */
  readonly added: readonly string[];
  /** Finalized blocks are removed: the next start continues after an interruption. */
  readonly isRewind?: boolean;
  /**
   * Set if an operator removes blocks that no node contradicts: `removed` begins above this block, and has only unfinalized
   * blocks, because the chain may replace these before they are stored again. Stored with depth 0, which lists omit.
   */
  readonly unlistedAbove?: number;
}

export function reorgIntent({ reorgIntent }: { readonly reorgIntent: string }): Reorg | undefined {
  return reorgIntent === '' ? undefined : (JSON.parse(reorgIntent) as Reorg);
}

/** Returns the current time, Unix ms, but after all recorded reorgs: readers order them by it, and clocks can go back. */
export async function detectionTime(database: Database): Promise<number> {
  const { detected_ms } = await database.readOne('newest_reorg');
  return Math.max(Date.now(), Number(detected_ms) + 1);
}

/** May be repeated, because readers ignore duplicates. */
export async function recordReorg(database: Database, reorg: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(reorg.detectedMs);
  w.uint64(reorg.unlistedAbove ?? reorg.forkBlock);
  w.uint32(reorg.unlistedAbove === undefined ? reorg.removed.length : 0);
  w.fixedArray(reorg.removed, 32);
  w.fixedArray(reorg.added, 32);
  await database.insertRowBinary('reorgs', w.view());
}

/** Inserts a reorg that is still in `chain_state`. */
export async function recordIntent(database: Database, store: ChainStateStore): Promise<void> {
  const intent = reorgIntent(store.state);
  if (!intent) return;
  if (intent.removed.length > 0) await recordReorg(database, intent);
  await store.publish({ reorgIntent: '' });
}
