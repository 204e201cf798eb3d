/**
 * Backups by the database's own BACKUP and RESTORE, taken while the service runs. What says how far the chain is stored is
 * saved first, the rows after it: a backup then never claims a range whose rows it lacks, and rows that it has beyond its
 * claim go when it is restored.
 * @source ClickHouse docs, operations/backup
 */
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { migrate } from '#sql/migrate.ts';
import { readChainState } from '#sql/snapshot.ts';
import { readJournal } from './journal.ts';
import { rewind } from './rewind.ts';

export interface BackupDeps {
  /** Connection to the database of the service. */
  readonly database: Database;
  /** Connection to a database that exists always. */
  readonly admin: Database;
  readonly log: Log;
}

/** The backup is not to be used, or cannot be restored here. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Tables that say what is stored, and up to where jobs have come. */
const markTables = ['chain_state', 'range_journal', 'parked_blocks', 'job_marks'] as const;
/** Name of the database within every backup, whatever it is called where it was taken. */
const inBackup = 'cordscan';
/** A backup may take as long as it needs. */
const unbounded = { max_execution_time: 0 };

/**
 * Saves everything under a name.
 * @returns last block that a restored database will have
 * @throws BackupError where nothing is settled yet, the name is no name, or stored ranges were repaired meanwhile
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
    throw new BackupError('the chain was taken back within the first moments: try again');
  const ranges = await doneRanges(deps);
  const others = markTables.map((table) => `${source}.${table}`).join(', ');
  const rows = `DATABASE ${source} AS ${inBackup} EXCEPT TABLES ${others}`;
  await admin.command(`BACKUP ${rows} TO File('${name}/rows')`, unbounded);
  const after = await doneRanges(deps);
  if ([...ranges].some((range) => !after.has(range)))
    throw new BackupError(
      'stored ranges were repaired or rewound meanwhile: take another one, this one is not to be used',
    );
  return marked.finalized;
}

/**
 * Makes the database from a backup: rows first, then what claims them, then everything above the settled blocks goes.
 * What an older version of the program saved is brought to this version's schema.
 * @returns last block that is stored now
 * @throws BackupError where the database exists and holds tables
 */
export async function restore(deps: BackupDeps, name: string): Promise<number> {
  assertName(name);
  const { admin, database, log } = deps;
  const target = database.options.database;
  const [row] = await admin.read('tables_of_database', { database: target });
  if (Number(row?.tables) > 0)
    throw new BackupError(`the database ${target} is not empty: drop it, or restore into another CLICKHOUSE_DATABASE`);
  await admin.command(`RESTORE DATABASE ${inBackup} AS ${target} FROM File('${name}/rows')`, unbounded);
  const marks = markTables.map((table) => `TABLE ${inBackup}.${table} AS ${target}.${table}`).join(', ');
  await admin.command(`RESTORE ${marks} FROM File('${name}/marks')`, unbounded);
  const applied = await migrate(admin, database);
  if (applied.length > 0) log.info({ event: 'migrated', applied });
  await database.command('TRUNCATE TABLE workers'); // who worked on what was saved does not work here
  const { finalized } = await readState(deps);
  await rewind(deps, finalized);
  return finalized;
}

/** It becomes part of a statement and of a path. */
function assertName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
    throw new BackupError('the name of a backup has letters, digits, dots, dashes and underscores, 100 at the most');
}

async function readState({ database }: BackupDeps) {
  const state = await readChainState(database);
  if (!state) throw new BackupError('nothing is stored yet');
  return state;
}

async function assertFinalized({ database }: BackupDeps, block: number): Promise<void> {
  const [row] = await database.read('stored_header', { block_number: block });
  if (!row) throw new BackupError(`block ${block}, the last settled one, is not stored yet: wait for the backfill`);
}

/** Ranges that are stored, each with the version of its entry: one that was forgotten and stored again has another. */
async function doneRanges(deps: BackupDeps): Promise<Set<string>> {
  const ranges = (await readJournal(deps)).filter(({ state }) => state === 'done');
  return new Set(ranges.map(({ fromBlock, toBlock, version }) => `${fromBlock}-${toBlock}@${version}`));
}
