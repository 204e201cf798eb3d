import type { Database } from './client.ts';
import { loadMigrations, loadSchema, type Migration } from './compile/migrations.ts';
import { parseStatement } from './compile/statements.ts';
import { createPublicViews } from './public-views.ts';
import { loadReferenceData } from './reference-data.ts';
import { StoreError } from './store-error.ts';

const applied = parseStatement(
  'applied_migrations',
  `-- name:    applied_migrations
-- serves:  migrate
-- returns: one row per applied migration
-- reads:   schema_migrations, full scan
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT * FROM schema_migrations FINAL ORDER BY number`,
);

const ownTables = parseStatement(
  'own_tables',
  `-- name:    own_tables
-- serves:  migrate
-- returns: one row per table of the database
-- reads:   system.tables
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT name FROM system.tables WHERE database = currentDatabase() AND name != 'schema_migrations'`,
);

/** Table that exists while sql/schema.gen.sql is applied: after an interruption, the next start applies this file. */
const creationMark = 'schema_creation';

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly takes_away?: number;
}

/**
 * Applies missing migrations. An interrupted migration starts again.
 * @throws Error if an applied file was changed, or the database is newer than this program
 */
export async function migrate(admin: Database, database: Database): Promise<void> {
  await admin.command(`CREATE DATABASE IF NOT EXISTS ${database.options.database}`);
  await database.command(`CREATE TABLE IF NOT EXISTS schema_migrations
    (number UInt32, name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
    ENGINE = ReplacingMergeTree(applied_at) ORDER BY number`);
  await database.command('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS takes_away UInt8 DEFAULT 0');
  const known = loadMigrations();
  // before reading migrations: a process that creates the schema records them before it removes the mark
  const isEmpty = await isNew(database);
  const rows = await database.read<AppliedRow>(applied);
  for (const row of rows) {
    const migration = known[row.number - 1];
    if (!migration)
      throw new Error(`the database has migration ${row.number}, which this program does not know: it is newer`);
    if (migration.checksum !== row.checksum)
      throw new Error(`migration ${migration.name} was changed after it was applied`);
  }
  const missing = known.slice(rows.length);
  if (rows.length === 0 && isEmpty) await createSchema(database, known);
  else
    for (const migration of missing) {
      for (const statement of migration.statements) await database.command(repeatable(statement));
      await record(database, [migration]);
    }
  if (missing.length > 0)
    database.options.log.info(
      { event: 'migrated', migrations: missing.length, newest: missing.at(-1)?.name },
      'the schema is migrated',
    );
  await createViews(admin, database);
  await loadReferenceData(database);
}

/** Only logs a warning if the user may not create views: only SQL of clients needs them. */
async function createViews(admin: Database, database: Database): Promise<void> {
  try {
    await createPublicViews(admin, database);
  } catch (error) {
    if (!(error instanceof StoreError) || error.retryable) throw error;
    const text = 'the public views could not be created, so SQL of clients fails';
    database.options.log.warn({ event: 'sql_views_missing', error: error.message }, text);
  }
}

/** Returns whether to create the final schema at once. Clusters need migrations: only these are converted. */
async function isNew(database: Database): Promise<boolean> {
  if (database.options.cluster !== undefined) return false;
  const tables = (await database.read<{ name: string }>(ownTables)).map(({ name }) => name);
  return tables.length === 0 || tables.includes(creationMark);
}

async function createSchema(database: Database, known: readonly Migration[]): Promise<void> {
  await database.command(`CREATE TABLE IF NOT EXISTS ${creationMark} (at DateTime) ENGINE = MergeTree ORDER BY at`);
  for (const statement of loadSchema()) await database.command(statement);
  await record(database, known);
  await database.command(`DROP TABLE IF EXISTS ${creationMark}`);
}

function record(database: Database, migrations: readonly Migration[]): Promise<void> {
  const columns = {
    number: migrations.map(({ number }) => number),
    name: migrations.map(({ name }) => name),
    checksum: migrations.map(({ checksum }) => checksum),
    takes_away: migrations.map(({ isDestructive }) => (isDestructive ? 1 : 0)),
  };
  const statement = {
    name: 'record_migrations',
    sql: `INSERT INTO schema_migrations (number, name, checksum, takes_away)
      SELECT * FROM (SELECT {number:Array(UInt32)} AS number, {name:Array(String)} AS name,
        {checksum:Array(String)} AS checksum, {takes_away:Array(UInt8)} AS takes_away)
      ARRAY JOIN number, name, checksum, takes_away`,
    parameters: Object.keys(columns),
  };
  return database.execute(statement, columns);
}

/**
 * Returns why this program can't use the schema of the database; undefined: it can. A newer schema is usable, unless a
 * migration removed tables or columns.
 */
export async function getSchemaProblem(database: Database): Promise<string | undefined> {
  const rows = await database.read<AppliedRow>(applied);
  const checksums = new Map(rows.map(({ number, checksum }) => [number, checksum]));
  const known = loadedOnce();
  const parting = rows.find(({ number, takes_away }) => number > known.length && takes_away === 1);
  if (parting) return `too new: migration ${parting.name} removed tables or columns that this program reads`;
  const missing = known.filter(({ number }) => !checksums.has(number));
  if (missing.length > 0) return `not applied: ${missing.map(({ name }) => name).join(', ')}`;
  const changed = known.filter(({ number, checksum }) => checksums.get(number) !== checksum);
  return changed.length > 0 ? `changed after it was applied: ${changed.map(({ name }) => name).join(', ')}` : undefined;
}

let loaded: Migration[] | undefined;
function loadedOnce(): Migration[] {
  loaded ??= loadMigrations();
  return loaded;
}

function repeatable(statement: string): string {
  return statement.replace(/^((?:--.*\n|\s)*CREATE (?:TABLE|MATERIALIZED VIEW)) /, '$1 IF NOT EXISTS ');
}
