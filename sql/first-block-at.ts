import type { Database } from './client.ts';
import { type ChainState, finalizedPart, snapshotParameters } from './snapshot.ts';

/** Returns the first visible block at or after a Unix time (seconds), or undefined if there is none. */
export async function firstBlockAt(
  { database }: { readonly database: Database },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  // a statement on all unfinalized blocks takes ten times as long, so it runs only if no finalized block is late enough
  for (const part of new Set([finalizedPart(state), state])) {
    const [row] = await database.read('first_block_at', { ...snapshotParameters(part), time });
    if (row) return Number(row.block_number);
  }
  return undefined;
}
