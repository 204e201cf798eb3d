/** The block of a time. */
import type { Database } from './client.ts';
import { type ChainState, snapshotParameters } from './snapshot.ts';

/** Lowest visible block that is not older than a Unix time; undefined where none is. */
export async function firstBlockAt(
  { database }: { readonly database: Database },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  const [row] = await database.read('first_block_at', { ...snapshotParameters(state), time });
  return row && Number(row.block_number);
}
