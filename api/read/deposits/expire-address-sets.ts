/** Deletes address sets that no client uses, so that the sets of strangers do not fill the disk. */
import { runOnSchedule } from '#runtime/schedule.ts';
import type { Database } from '#sql/client.ts';
import type { StateDeps } from '../reader-deps.ts';
import { unusedMs, useWriteIntervalMs } from './address-sets.ts';

/** Time after the expiry of a set until its rows are deleted, ms: a request that began in time may still use them. */
const marginMs = 3_600_000;

/** Deletes removed and expired sets. Several processes may do so at once. */
export async function deleteExpiredSets(database: Database, nowMs = Date.now()): Promise<void> {
  const before = nowMs - unusedMs - useWriteIntervalMs - marginMs;
  for (;;) {
    const ids = (await database.read('expired_address_sets', { before })).map(({ id }) => id);
    if (ids.length === 0) return;
    // the members first: without their set, no later run would find them
    await database.execute('forget_address_sets', { table: 'address_set_members', column: 'set_id', ids });
    await database.execute('forget_address_sets', { table: 'address_sets', column: 'id', ids });
  }
}

export function watchExpiredSets({ database, log }: Pick<StateDeps, 'database' | 'log'>, signal: AbortSignal): void {
  runOnSchedule('41 3 * * *', 'address_sets_expiry_error', () => deleteExpiredSets(database), { log, signal });
}
