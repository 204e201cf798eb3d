/**
 * Records reorgs in the table `reorgs`. The row of `chain_state` that hides the old branch also has the reorg, so that
 * the next start can record it after a kill.
 */
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';

export interface Reorg {
  /** Time of detection, Unix ms, from `detectionTime`. With the fork block, identifies the reorg. */
  readonly detectedMs: number;
  readonly forkBlock: number;
  /** Hashes of removed blocks, lowest first. */
  readonly removed: readonly string[];
  /** Hashes of the new branch, lowest first. */
  readonly added: readonly string[];
  /** Finalized blocks are removed. After an interruption, the next start continues. */
  readonly isRewind?: boolean;
  /**
   * Set if an operator removes blocks that no node contradicts. `removed` then has only unfinalized blocks, those above
   * this one, because the chain may replace them. Stored with depth 0, which lists omit.
   */
  readonly unlistedAbove?: number;
}

export function reorgIntent({ reorgIntent }: { readonly reorgIntent: string }): Reorg | undefined {
  return reorgIntent === '' ? undefined : (JSON.parse(reorgIntent) as Reorg);
}

/**
 * Returns the current time, Unix ms, but at least 1 ms after the last reorg: readers sort by time, and clocks can go
 * back.
 */
export async function detectionTime(database: Database): Promise<number> {
  const { detected_ms } = await database.readOne('newest_reorg');
  return Math.max(Date.now(), Number(detected_ms) + 1);
}

/** May be repeated: readers ignore duplicates. */
export async function recordReorg(database: Database, reorg: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(reorg.detectedMs);
  w.uint64(reorg.unlistedAbove ?? reorg.forkBlock);
  w.uint32(reorg.unlistedAbove === undefined ? reorg.removed.length : 0);
  w.fixedArray(reorg.removed, 32);
  w.fixedArray(reorg.added, 32);
  await database.insertRowBinary('reorgs', w.view());
}

/** Records a reorg that is still in `chain_state`. */
export async function recordIntent(database: Database, store: ChainStateStore): Promise<void> {
  const intent = reorgIntent(store.state);
  if (!intent) return;
  if (intent.removed.length > 0) await recordReorg(database, intent);
  await store.publish({ reorgIntent: '' });
}
