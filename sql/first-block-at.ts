import type { Database } from './client.ts';
import { type ChainState, snapshotParameters } from './snapshot.ts';

/** Undefined if no visible block is at or after the Unix time. */
export async function firstBlockAt(
  { database }: { readonly database: Database },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  const [row] = await database.read('first_block_at', { ...snapshotParameters(state), time });
  return row && Number(row.block_number);
}
