/** Keeps every reorg as data. */
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';

export interface Reorg {
  readonly forkBlock: number;
  /** Removed blocks, lowest first. */
  readonly removed: readonly HeadRef[];
  /** Hashes of the new branch, lowest first. */
  readonly added: readonly string[];
}

export async function recordReorg(database: Database, { forkBlock, removed, added }: Reorg): Promise<void> {
  const w = new RowWriter(1024);
  w.uint64(Date.now());
  w.uint64(forkBlock);
  w.uint32(removed.length);
  w.fixedArray(
    removed.map((block) => block.hash),
    32,
  );
  w.fixedArray(added, 32);
  await database.insertRowBinary('reorgs', w.view());
}
