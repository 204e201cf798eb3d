/** A process that stores a claim, and then waits until running writes have ended, sees all earlier claims. */

import { pause } from '#runtime/shutdown.ts';
import type { Database } from './client.ts';

const pollMs = 50;

/** Waits until all writes that run now have ended. */
export async function waitForRunningWrites(
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
