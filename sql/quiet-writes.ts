/** Waits for statements that other processes have running: who has stored a claim then sees every claim that came before. */

import { pause } from '#runtime/shutdown.ts';
import type { Database } from './client.ts';

/** Pause between two looks at statements that still run, ms. */
const pollMs = 50;

/**
 * Waits until every statement that runs now has ended; what begins later is not waited for.
 * @param name of the statement that lists the ids of those that count
 */
export async function quietWrites(
  { database }: { readonly database: Database },
  name: 'running_writes' | 'running_withdrawal_claims',
  signal?: AbortSignal,
): Promise<void> {
  const read = async () => (await database.read(name)).map(({ id }) => id);
  let earlier = await read();
  while (earlier.length > 0 && !signal?.aborted) {
    await pause(pollMs, signal);
    const now = new Set(await read());
    earlier = earlier.filter((id) => now.has(id));
  }
}
