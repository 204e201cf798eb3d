import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { noSnapshot, snapshotSetting } from '#sql/public-views.ts';
import { UserDatabase } from '#sql/user-database.ts';
import { harmless, hostileStatements, readsBeyondViews } from '#test/helpers/hostile-statements.ts';
import { scratchFolder } from '#test/helpers/processes.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let database: Database;

test.before(async () => {
  engine = await startTestEngine();
  database = await engine.open('indexed');
  await database.command("INSERT INTO api_keys (id) VALUES ('secret of a client')");
});

test.after.always(() => engine?.stop());

/** Sends a statement in the role of clients without the API's checks. */
async function ask(sql: string, more: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const { log_comment } = snapshotSetting(noSnapshot);
  const settings = { role: 'sql_user', database: 'sql_views_indexed', readonly: '1', max_execution_time: '5' };
  const url = `${engine.origin}/?${new URLSearchParams({ ...settings, log_comment, ...more })}`;
  const reply = await fetch(url, { method: 'POST', headers: engine.headers, body: sql });
  return { status: reply.status, text: await reply.text() };
}

test('hostile statements reach no table, file or port', async (t) => {
  const dir = await scratchFolder('cordscan-sql');
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const marker = join(dir, 'marker.txt');
  const secret = 'secret of the machine';
  await writeFile(marker, `${secret}\n`);
  let knocks = 0;
  const listener = createServer((socket) => {
    knocks++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  t.teardown(() => listener.close());
  const far = `127.0.0.1:${(listener.address() as { port: number }).port}`;
  const names = async (table: string) => {
    const statement = { ...resolveStatement('chain_state'), sql: `SELECT name FROM system.${table}` };
    return (await database.read<{ name: string }>(statement)).map(({ name }) => name);
  };
  const hostile = await hostileStatements({ marker, dir, far }, names);
  const queue = [...(await readsBeyondViews('indexed', names)), ...hostile];
  t.log(`${queue.length} statements`);
  const run: string[] = [];
  const worker = async () => {
    for (let sql = queue.pop(); sql !== undefined; sql = queue.pop()) {
      const { status, text } = await ask(sql);
      if (status === 200) run.push(sql);
      if (text.includes(secret) || text.includes('secret of a client')) t.fail(`${sql}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  t.deepEqual(
    run.filter((sql) => !harmless.test(sql)),
    [],
    'only functions that compute are run',
  );
  t.is(knocks, 0);
});

test('settings of a query stay those of the service, and other roles are closed', async (t) => {
  t.is((await ask('SELECT count() FROM tokens')).text.trim(), '0');
  for (const sql of [
    "SELECT 1 SETTINGS log_comment = '{}'",
    'SELECT 1 SETTINGS readonly = 0',
    "SELECT * FROM (SELECT 1 SETTINGS log_comment = '{}')",
    'SELECT * FROM (SELECT 1 SETTINGS max_threads = 64)',
    'SET ROLE service',
    'SET readonly = 0',
    'USE indexed',
    'SHOW TABLES FROM indexed',
    'KILL QUERY WHERE 1',
    'SELECT * FROM system.processes',
    'SELECT 1 IN `system`.`processes`',
  ])
    t.regex((await ask(sql)).text, /Code: (164|497)/, sql);
  const named = await ask("SELECT * FROM (SELECT 1 SETTINGS {k:Identifier} = '{}')", { param_k: 'log_comment' });
  t.regex(named.text, /Code: (62|164|497)/);
  t.regex((await ask('SELECT 1', { role: 'default' })).text, /role must be/);
});

test('a user who may read the tables of the service is refused', async (t) => {
  const { url } = database.options;
  const open = new UserDatabase({ url, database: 'indexed' });
  const limited = new UserDatabase({ url, database: 'indexed', role: 'sql_user' });
  t.teardown(() => Promise.all([open.close(), limited.close()]));
  await limited.assertLimited();
  await t.throwsAsync(() => open.assertLimited(), { message: /may read the tables of indexed/ });
});

test('views are replaced when their definition changes, and only then', async (t) => {
  const read = async () => {
    const sql =
      "SELECT name, toString(uuid) AS id FROM system.tables WHERE database = 'sql_views_indexed' ORDER BY name";
    return database.read<{ name: string; id: string }>({ ...resolveStatement('chain_state'), sql });
  };
  const before = await read();
  await database.command('CREATE OR REPLACE VIEW sql_views_indexed.blocks AS SELECT 1 AS nothing');
  await engine.open('indexed');
  const after = await read();
  const changed = after.filter(({ id }, i) => id !== before[i]?.id).map(({ name }) => name);
  t.deepEqual(changed, ['blocks']);
  t.is((await ask('SELECT count(block_number) FROM blocks')).text.trim(), '0');
});
