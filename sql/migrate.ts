/** Brings a database to the newest schema: forward only, each file once, its checksum kept. */
import type { Database } from './client.ts';
import { loadMigrations, type Migration } from './compile/migrations.ts';
import { parseStatement } from './compile/statements.ts';

const applied = parseStatement(
  'applied_migrations',
  `-- name:    applied_migrations
-- serves:  migrate
-- params:  none
-- returns: one row per migration that was applied
-- reads:   schema_migrations whole
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT number, checksum FROM schema_migrations FINAL ORDER BY number`,
);

/**
 * Applies what is missing. A file that was cut short is applied again from its start: each statement is made
 * `IF NOT EXISTS`.
 * @returns names of the migrations applied now
 * @throws Error when an applied file has changed since, or the database is newer than this program
 */
export async function migrate(admin: Database, database: Database): Promise<string[]> {
  await admin.command(`CREATE DATABASE IF NOT EXISTS ${database.options.database}`);
  await database.command(`CREATE TABLE IF NOT EXISTS schema_migrations
    (number UInt32, name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
    ENGINE = ReplacingMergeTree(applied_at) ORDER BY number`);
  const known = loadMigrations();
  const rows = await database.read<{ number: number; checksum: string }>(applied);
  for (const row of rows) {
    const migration = known[row.number - 1];
    if (!migration)
      throw new Error(`the database has migration ${row.number}, which this program does not know: it is newer`);
    if (migration.checksum !== row.checksum)
      throw new Error(`migration ${migration.name} has changed since it was applied`);
  }
  const missing = known.slice(rows.length);
  for (const migration of missing) {
    for (const statement of migration.statements) await database.command(repeatable(statement));
    await database.execute(
      {
        name: 'record_migration',
        sql: 'INSERT INTO schema_migrations (number, name, checksum) SELECT {number:UInt32}, {name:String}, {checksum:String}',
        parameters: ['number', 'name', 'checksum'],
      },
      { number: migration.number, name: migration.name, checksum: migration.checksum },
    );
  }
  return missing.map((migration) => migration.name);
}

/**
 * What keeps this program from working with the schema; undefined: nothing. A schema that is newer fits: migrations only add.
 * @throws StoreError when it cannot be read
 */
export async function schemaFault(database: Database): Promise<string | undefined> {
  const checksums = new Map((await database.read<{ number: number; checksum: string }>(applied)).map(toEntry));
  const known = loadedOnce();
  const missing = known.filter(({ number }) => !checksums.has(number));
  if (missing.length > 0) return `not applied: ${missing.map(({ name }) => name).join(', ')}`;
  const changed = known.filter(({ number, checksum }) => checksums.get(number) !== checksum);
  return changed.length > 0 ? `not as applied: ${changed.map(({ name }) => name).join(', ')}` : undefined;
}

const toEntry = ({ number, checksum }: { number: number; checksum: string }) => [Number(number), checksum] as const;

let loaded: Migration[] | undefined;
function loadedOnce(): Migration[] {
  loaded ??= loadMigrations();
  return loaded;
}

function repeatable(statement: string): string {
  return statement.replace(/^((?:--.*\n|\s)*CREATE (?:TABLE|MATERIALIZED VIEW)) /, '$1 IF NOT EXISTS ');
}
