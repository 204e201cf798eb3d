import type { Database } from './client.ts';
import { loadMigrations, type Migration } from './compile/migrations.ts';
import { parseStatement } from './compile/statements.ts';
import { loadReferenceData } from './reference-data.ts';

const applied = parseStatement(
  'applied_migrations',
  `-- name:    applied_migrations
-- serves:  migrate
-- params:  none
-- returns: one row per applied migration
-- reads:   schema_migrations, full scan
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT * FROM schema_migrations FINAL ORDER BY number`,
);

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly takes_away?: number;
}

/**
 * Applies all missing migrations. An interrupted migration is applied again from its start.
 * @throws Error when an applied file was changed, or the database is newer than this program
 */
export async function migrate(admin: Database, database: Database): Promise<void> {
  await admin.command(`CREATE DATABASE IF NOT EXISTS ${database.options.database}`);
  await database.command(`CREATE TABLE IF NOT EXISTS schema_migrations
    (number UInt32, name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
    ENGINE = ReplacingMergeTree(applied_at) ORDER BY number`);
  await database.command('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS takes_away UInt8 DEFAULT 0');
  const known = loadMigrations();
  const rows = await database.read<AppliedRow>(applied);
  for (const row of rows) {
    const migration = known[row.number - 1];
    if (!migration)
      throw new Error(`the database has migration ${row.number}, which this program does not know: it is newer`);
    if (migration.checksum !== row.checksum)
      throw new Error(`migration ${migration.name} was changed after it was applied`);
  }
  const missing = known.slice(rows.length);
  for (const migration of missing) {
    const { number, name, checksum } = migration;
    for (const statement of migration.statements) await database.command(repeatable(statement));
    await database.execute(
      {
        name: 'record_migration',
        sql: `INSERT INTO schema_migrations (number, name, checksum, takes_away)
          SELECT {number:UInt32}, {name:String}, {checksum:String}, {takes_away:UInt8}`,
        parameters: ['number', 'name', 'checksum', 'takes_away'],
      },
      { number, name, checksum, takes_away: migration.isDestructive ? 1 : 0 },
    );
  }
  if (missing.length > 0)
    database.options.log.info(
      { event: 'migrated', migrations: missing.length, newest: missing.at(-1)?.name },
      'the schema is migrated',
    );
  await loadReferenceData(database);
}

/**
 * Says why this program can't use the schema of the database; undefined if it can. A newer schema is usable unless a
 * migration removed something that this program reads.
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
