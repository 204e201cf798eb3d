import test from 'ava';
import { silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { loadMigrations, loadSchema } from '#sql/compile/migrations.ts';
import { getColumns } from '#sql/compile/table-columns.ts';
import { getSchemaProblem } from '#sql/migrate.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

/** Runs statements in a database without migrations. */
async function prepare(name: string, statements: readonly string[]): Promise<void> {
  const admin = new Database({ url: engine.url, database: 'default', log: silentLog, waitMs: 10_000 });
  const database = new Database({ url: engine.url, database: name, log: silentLog, waitMs: 10_000 });
  await admin.command(`CREATE DATABASE ${name}`);
  for (const statement of statements) await database.command(statement);
  await Promise.all([admin.close(), database.close()]);
}

async function describe(name: string): Promise<readonly string[]> {
  const database = await engine.open(name);
  const query = `SELECT create_table_query FROM system.tables WHERE database = '${name}' ORDER BY name FORMAT TSVRaw`;
  const reply = await fetch(engine.origin, { method: 'POST', body: query, headers: engine.headers });
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  if (await getSchemaProblem(database)) throw new Error('the schema has a problem');
  return text.replaceAll(`${name}.`, '').trim().split('\n');
}

test.serial('a new database has the tables that its migrations make, one after the other', async (t) => {
  const [first] = loadMigrations();
  await prepare('stepwise', first!.statements);
  const [fresh, stepwise] = [await describe('fresh'), await describe('stepwise')];
  t.true(fresh.length > 80);
  t.deepEqual(fresh, stepwise);
});

test.serial('inserts name their columns, so that columns of a newer program get their defaults', async (t) => {
  const database = await engine.open('newer');
  const sql = (text: string) => ({ ...resolveStatement('chain_state'), sql: text });
  const tables = await database.read<{ table: string; columns: string[] }>(
    sql(`SELECT table, groupArray(name) AS columns
      FROM (SELECT * FROM system.columns WHERE database = currentDatabase() ORDER BY table, position) GROUP BY table`),
  );
  const known = tables.filter(({ table }) => getColumns(table) !== undefined);
  t.true(known.length > 50);
  for (const { table, columns } of known) t.deepEqual(getColumns(table), columns, table);
  await database.command("ALTER TABLE audits ADD COLUMN newer String DEFAULT 'as always'");
  const row = new RowWriter(64);
  row.uint64(1);
  row.uint64(2);
  row.uint64(3);
  row.uint32(4);
  row.text('five');
  row.endRow();
  await database.insertRowBinary('audits', row.view());
  const [stored] = await database.read<{ detail: string; newer: string }>(sql('SELECT detail, newer FROM audits'));
  t.deepEqual(stored, { detail: 'five', newer: 'as always' });
});

test.serial('an interrupted creation of the tables is continued', async (t) => {
  const mark = 'CREATE TABLE schema_creation (at DateTime) ENGINE = MergeTree ORDER BY at';
  await prepare('interrupted', [mark, ...loadSchema().slice(0, 40)]);
  t.deepEqual(await describe('interrupted'), await describe('fresh'));
});
