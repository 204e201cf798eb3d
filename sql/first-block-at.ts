import type { Database } from './client.ts';
import { type ChainState, finalizedPart, snapshotParameters } from './snapshot.ts';

/** Returns the first block at or after a Unix time (seconds), or undefined if there is none. */
export async function firstBlockAt(
  { database }: { readonly database: Database },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  // finalized blocks first: with unfinalized blocks, the statement takes ten times as long
  for (const part of new Set([finalizedPart(state), state])) {
    const [row] = await database.read('first_block_at', { ...snapshotParameters(part), time });
    if (row) return Number(row.block_number);
  }
  return undefined;
}
