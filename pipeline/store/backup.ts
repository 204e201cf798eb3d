/**
 * Uses ClickHouse's BACKUP and RESTORE while the service runs. Progress tables are saved before the rows, so that a
 * backup lists no range without its rows. A third part, `checked`, proves that both agree. A restore deletes rows above
 * the last finalized block. The backfill stores other unlisted ranges again.
 * @source ClickHouse docs, operations/backup
 */
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { migrate } from '#sql/migrate.ts';
import { readChainState } from '#sql/snapshot.ts';
import type { StoreError } from '#sql/store-error.ts';
import { tableStructure } from '#sql/table-structure.ts';
import type { PauseDeps } from '../workers/pause-pipelines.ts';
import { ChainStateStore } from './chain-state-store.ts';
import { readJournal, readJournalVersion } from './journal.ts';
import { areKept } from './journal-ranges.ts';
import { rewind } from './rewind.ts';

export interface BackupDeps {
  readonly database: Database;
  /** Connection to an existing database: a restore creates the target. */
  readonly admin: Database;
  readonly log: Log;
}

export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Tables that list finished work, saved before the rows. */
const markTables = ['chain_state', 'range_journal', 'parked_blocks', 'job_marks', 'traced_ranges'] as const;
const inBackup = 'cordscan';
/** Small table, saved again once the backup is complete and its parts agree. */
const proof = 'chain_identity';
/** BACKUP_NOT_FOUND. @source ClickHouse, ErrorCodes.cpp */
const backupNotFound = '599';
/** No time limit: a backup may take hours. */
const unbounded = { max_execution_time: 0 };

/**
 * @returns finalized block when the backup began; a restored database has at least the blocks up to it
 * @throws BackupError
 */
export async function backUp(deps: BackupDeps, name: string): Promise<number> {
  assertName(name);
  const { admin, database } = deps;
  const source = database.options.database;
  const before = await readState(deps);
  await assertFinalized(deps, before.finalized);
  const marks = markTables.map((table) => `TABLE ${source}.${table} AS ${inBackup}.${table}`).join(', ');
  await admin.command(`BACKUP ${marks} TO File('${name}/marks')`, unbounded);
  const marked = await readState(deps);
  if (marked.reorgGeneration !== before.reorgGeneration)
    throw new BackupError('a reorg happened while the backup started: try again');
  const [ranges, version] = [await readJournal(deps), await readJournalVersion(deps)];
  const others = markTables.map((table) => `${source}.${table}`).join(', ');
  const rows = `DATABASE ${source} AS ${inBackup} EXCEPT TABLES ${others}`;
  await admin.command(`BACKUP ${rows} TO File('${name}/rows')`, unbounded);
  const after = await readJournal(deps, version);
  if (!areKept(ranges, after))
    throw new BackupError(
      'stored ranges were repaired or rewound during the backup: discard this backup and take another one',
    );
  await admin.command(`BACKUP TABLE ${source}.${proof} AS ${inBackup}.${proof} TO File('${name}/checked')`, unbounded);
  return before.finalized;
}

/**
 * Restores a backup into an empty database, migrates it, and removes unfinalized blocks.
 * @param isChecked false: accepts a backup without the proof that it is complete
 * @returns last stored block
 * @throws BackupError when the database contains tables, or the backup is not complete
 */
export async function restore(
  deps: BackupDeps & Pick<PauseDeps, 'leaseMs'>,
  name: string,
  isChecked = true,
): Promise<number> {
  assertName(name);
  const { admin, database } = deps;
  const target = database.options.database;
  const [row] = await admin.read('tables_of_database', { database: target });
  if (Number(row?.tables) > 0)
    throw new BackupError(`the database ${target} is not empty: drop it, or restore into another CLICKHOUSE_DATABASE`);
  if (isChecked) await assertComplete(admin, target, name);
  await admin.command(`RESTORE DATABASE ${inBackup} AS ${target} FROM File('${name}/rows')`, unbounded);
  // backups of earlier versions have some of these tables among the rows
  const missing: string[] = [];
  for (const table of markTables)
    if ((await database.read(tableStructure, { table })).length === 0) missing.push(table);
  const marks = missing.map((table) => `TABLE ${inBackup}.${table} AS ${target}.${table}`).join(', ');
  await admin.command(`RESTORE ${marks} FROM File('${name}/marks')`, unbounded);
  await migrate(admin, database);
  await database.command('TRUNCATE TABLE workers'); // the saved workers don't run here
  const store = new ChainStateStore(deps);
  await store.load();
  await store.leap(); // readers may know later generations of the service that made the backup
  const { finalized } = store.state;
  await rewind(deps, finalized);
  return finalized;
}

/** @throws BackupError if the backup was interrupted, or its parts contradict each other */
async function assertComplete(admin: Database, target: string, name: string): Promise<void> {
  await admin.command(`CREATE DATABASE IF NOT EXISTS ${target}`);
  try {
    await admin.command(
      `RESTORE TABLE ${inBackup}.${proof} AS ${target}.${proof} FROM File('${name}/checked')`,
      unbounded,
    );
  } catch (error) {
    const { code } = ((error as StoreError).cause ?? {}) as { readonly code?: string };
    if (code !== backupNotFound) throw error;
    throw new BackupError(
      `there is no backup ${name}, or it was interrupted, its check failed, or an earlier version made it: restore another one, or this one with --unchecked and then run cordscan verify`,
    );
  }
  await admin.command(`DROP TABLE ${target}.${proof} SYNC`);
}

/** Checks a backup name, which becomes part of a statement and a path. */
function assertName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
    throw new BackupError(
      'a backup name has letters, digits, dots, dashes and underscores, at most 100, and starts with a letter or digit',
    );
}

async function readState({ database }: BackupDeps) {
  const state = await readChainState(database);
  if (!state) throw new BackupError('nothing is stored yet: start the pipeline first');
  return state;
}

async function assertFinalized({ database }: BackupDeps, block: number): Promise<void> {
  const [row] = await database.read('stored_header', { block_number: block });
  if (!row) throw new BackupError(`the finalized block ${block} is not stored yet: wait for the backfill`);
}
