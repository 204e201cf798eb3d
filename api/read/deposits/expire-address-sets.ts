/** Deletes unused address sets, because they would fill the disk. */
import { runOnSchedule } from '#runtime/schedule.ts';
import type { Database } from '#sql/client.ts';
import type { StateDeps } from '../reader-deps.ts';
import { unusedMs, useWriteIntervalMs } from './address-sets.ts';

/** Requests that began before the expiry may still use the set for this time, ms. */
const marginMs = 3_600_000;

/** Deletes removed and expired sets. Several processes may run this at once. */
export async function deleteExpiredSets(database: Database, nowMs = Date.now()): Promise<void> {
  const before = nowMs - unusedMs - useWriteIntervalMs - marginMs;
  for (;;) {
    const ids = (await database.read('expired_address_sets', { before })).map(({ id }) => id);
    if (ids.length === 0) return;
    // members first: later runs would not find the members of a deleted set
    await database.execute('forget_address_sets', { table: 'address_set_members', column: 'set_id', ids });
    await database.execute('forget_address_sets', { table: 'address_sets', column: 'id', ids });
  }
}

export function watchExpiredSets({ database, log }: Pick<StateDeps, 'database' | 'log'>, signal: AbortSignal): void {
  runOnSchedule('41 3 * * *', 'address_sets_expiry_error', () => deleteExpiredSets(database), { log, signal });
}
