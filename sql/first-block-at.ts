import type { Database } from './client.ts';
import { type ChainState, snapshotParameters } from './snapshot.ts';

/** Returns the first visible block at or after a Unix time (seconds), or undefined if there is none. */
export async function firstBlockAt(
  { database }: { readonly database: Database },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  const [row] = await database.read('first_block_at', { ...snapshotParameters(state), time });
  return row && Number(row.block_number);
}
