/** After a process has stored a claim and waited for running writes, it sees all earlier claims. */

import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import type { Database } from './client.ts';

const pollMs = 50;
/** Time until the wait is logged, ms. Doubles with each log line. */
const logAfterMs = 10_000;

/** Waits until all writes that run now have ended. Logs writes that do not end, such as failing mutations. */
export async function waitForRunningWrites(
  { database, log }: { readonly database: Database; readonly log?: Log },
  name: 'running_writes' | 'running_withdrawal_claims',
  signal?: AbortSignal,
): Promise<void> {
  const read = async () => (await database.read(name)).map(({ id }) => id);
  const startedAt = Date.now();
  let logAt = startedAt + logAfterMs;
  let earlier = await read();
  while (earlier.length > 0 && !signal?.aborted) {
    await pause(pollMs, signal);
    const now = new Set(await read());
    earlier = earlier.filter((id) => now.has(id));
    if (earlier.length === 0 || Date.now() < logAt) continue;
    logAt = Date.now() + (Date.now() - startedAt);
    log?.warn(
      { event: 'waiting_for_writes', waitedMs: Date.now() - startedAt, writes: earlier.slice(0, 5) },
      'earlier writes of the database have not ended: see system.processes and system.mutations',
    );
  }
}
