import test from 'ava';
import { silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { loadMigrations, loadSchema } from '#sql/compile/migrations.ts';
import { getSchemaProblem } from '#sql/migrate.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

/** Runs statements in a database that no migration has touched. */
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

test.serial('an interrupted creation of the tables is continued', async (t) => {
  const mark = 'CREATE TABLE schema_creation (at DateTime) ENGINE = MergeTree ORDER BY at';
  await prepare('interrupted', [mark, ...loadSchema().slice(0, 40)]);
  t.deepEqual(await describe('interrupted'), await describe('fresh'));
});
