import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StoreDeps } from '../reader-deps.ts';

/** Returns hashes of indexed blocks by number. @param blocks at most 10,001 */
export async function readBlockHashes(
  { database }: StoreDeps,
  state: ChainState,
  blocks: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.read('hashes_of_blocks', { ...snapshotParameters(state), blocks });
  return new Map(rows.map((row) => [Number(row.block_number), row.hash_hex]));
}
