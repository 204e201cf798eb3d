import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { request } from 'undici';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import { makePassword, publishEngine } from '#runtime/engine-password.ts';
import { silentLog } from '#runtime/log.ts';
import { startChild } from '#runtime/supervise.ts';
import { postQuery } from '#test/helpers/ask-engine.ts';
import {
  harmless,
  hiddenColumns,
  hostileStatements,
  statementsWithHiddenColumns,
} from '#test/helpers/hostile-statements.ts';
import { freePort, type RunningEngine, scratchFolder, startEngine } from '#test/helpers/processes.ts';

const secret = 'secret of the machine';

let engine: RunningEngine;
let dir: string;
let marker: string;
let knocks = 0;
const listener = createServer((socket) => {
  knocks++;
  socket.destroy();
});
let far: string;

test.before(async () => {
  dir = await scratchFolder('cordscan-doors');
  engine = await startEngine(dir);
  marker = join(dir, 'marker.txt');
  await writeFile(marker, `${secret}\n`);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  far = `127.0.0.1:${(listener.address() as { port: number }).port}`;
});

test.after.always(async () => {
  listener.close();
  await engine?.stop();
  await rm(dir, { recursive: true, force: true });
});

const query = (sql: string) => postQuery(engine, sql);

const names = async (table: string) =>
  (await query(`SELECT name FROM system.${table} ORDER BY name`)).text.trim().split('\n');

const withParameters = (path: string): [string, Record<string, string>][] => [
  ['SELECT * FROM {t:Identifier}', { param_t: marker }],
  ['SELECT * FROM {t:Identifier}', { param_t: `default\`.\`${marker}` }],
  ['SELECT * FROM {d:Identifier}.{t:Identifier}', { param_d: 'default', param_t: marker }],
  ['SELECT file({p:String})', { param_p: marker }],
  ['SELECT 1', { default_format: `TSV SETTINGS additional_result_filter = 'file(\\'${marker}\\') = 1'` }],
  ['SELECT 1', { default_format: `TSV; SELECT file(${path})` }],
  ['SELECT 1 // {x:String}', { param_x: `\\n, file($$${marker}$$) //` }],
  ['SELECT 1 /* /* */ {x:String} */', { param_x: `*/, file($$${marker}$$) /*` }],
  [`SELECT 1 FORMAT TSV`, { additional_result_filter: `file(${path}) = 1` }],
  ['SELECT 1', { format_schema: marker, default_format: 'Template' }],
  [`WITH a AS (SELECT 1) INSERT INTO FUNCTION "file"(${path}, 'TSV', 'a UInt8') SELECT * FROM a`, {}],
  [`SELECT * FROM "${marker}"`, { database: 'default' }],
  ['SELECT 1', { database: marker }],
  ['SELECT * FROM a', { a_structure: 'a String', a_format: 'TSV' }],
];

test('no statement reads or writes a file, connects to a port, or creates an object that could', async (t) => {
  const path = `'${marker}'`;
  t.is((await query('CREATE TABLE seen (a String) ENGINE = MergeTree ORDER BY a')).status, 200);
  const statements = await hostileStatements({ marker, dir, far }, names);
  t.log(`${statements.length} statements`);
  for (const sql of statements) {
    const { text, status } = await query(sql);
    if (status === 200 && !harmless.test(sql)) t.fail(`it was run: ${sql}`);
    if (text.includes(secret)) t.fail(`${sql}: ${text}`);
  }
  for (const [sql, parameters] of withParameters(path)) {
    const url = `${engine.origin}/?${new URLSearchParams({ query: sql, ...parameters })}`;
    for (const method of ['GET', 'POST']) {
      const text = await (await fetch(url, { method, headers: engine.headers })).text();
      if (text.includes(secret)) t.fail(`${sql}: ${text}`);
    }
  }
  const form = new FormData();
  form.set('query', `SELECT * FROM "file"(${path}, 'LineAsString')`);
  form.set('a', new Blob(['1']), marker);
  const reply = await fetch(`${engine.origin}/?a_structure=a+String`, {
    method: 'POST',
    headers: engine.headers,
    body: form,
  });
  t.false((await reply.text()).includes(secret));
  const made = (await query("SELECT name FROM system.tables WHERE match(name, '^(made|far)_')")).text
    .trim()
    .split('\n');
  for (const name of made) {
    const { text } = await query(`SELECT * FROM ${name}`);
    t.false(text.includes(secret), name);
  }
  t.is(await readFile(marker, 'utf8'), `${secret}\n`, 'it was not written');
  t.is(knocks, 0, 'no port was reached');
});

test('no expression hides in the list of columns of values(), not even in a parameter or a name', async (t) => {
  const run = async (sql: string, parameters: Record<string, string> = {}) => {
    const url = `${engine.origin}/?${new URLSearchParams({ query: sql, ...parameters })}`;
    const text = await (await fetch(url, { method: 'POST', headers: engine.headers })).text();
    t.regex(text, /^Code: (497|62)\b/, sql);
  };
  for (const sql of statementsWithHiddenColumns(marker)) await run(sql);
  for (const first of ['{s:String}', '{s:LowCardinality(String)}', '({s:String})', '{s:String} AS z'])
    await run(`SELECT b FROM values(${first}, 1)`, { param_s: hiddenColumns(marker) });
  await run('WITH {s:String} AS z SELECT b FROM values(z, 1)', { param_s: hiddenColumns(marker) });
  t.is((await query("SELECT settled FROM values('aliases UInt8, settled String', (1, 'x'))")).text, 'x\n');
});

test('engine process has no access to other files and ports, whatever statement it runs', async (t) => {
  const own = await scratchFolder('cordscan-unjudged');
  t.teardown(() => rm(own, { recursive: true, force: true }));
  for (const folder of ['data', 'spool']) await mkdir(join(own, folder));
  await writeFile(join(own, 'data/password'), 'known');
  const port = await freePort();
  const script = 'test/fixtures/unjudged-engine.ts';
  const child = startChild({ script, args: [own, String(port), 'confined'] });
  t.teardown(() => child.kill('SIGKILL'));
  const [told] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (told !== 'listening') return t.log('this system can confine no process');
  const headers = { 'x-clickhouse-key': 'known' };
  const ask = async (sql: string) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sql, headers })).text();
  t.regex(await ask(`SELECT length(file('${own}/data/password'))`), /^5$/m, 'its own files it reads');
  const statements = await hostileStatements({ marker, dir, far }, names);
  const few = statements.filter((sql, i) => !harmless.test(sql) || i % 10 === 0 || /`file`/.test(sql));
  for (const sql of few) {
    const text = await ask(sql);
    if (text.includes(secret)) t.fail(`${sql}: ${text}`);
  }
  t.regex(await ask(`SELECT file('${marker}')`), /Permission denied/);
  t.is(await readFile(marker, 'utf8'), `${secret}\n`, 'it was not written');
  t.is(knocks, 0, 'no port was reached');
  if (process.platform === 'linux')
    t.regex(await readFile(`/proc/${engine.pid()}/status`, 'utf8'), /NoNewPrivs:\s*1/, 'as the engine of the service');
});

test('read-only requests change nothing, and dropped rights cannot be regained', async (t) => {
  for (const sql of ['SET ROLE spool_reader', 'SET readonly = 0', `SELECT * FROM "file"('${marker}', 'LineAsString')`])
    t.false((await query(sql)).text.includes(secret), sql);
  t.is((await query(`SELECT * FROM "file"('${marker}', 'LineAsString')`)).status, 403);
});

test('engine answers only processes that know the password, and no web page', async (t) => {
  const ask = async (
    headers: Record<string, string>,
    path = '/?query=SELECT%201',
    host = `127.0.0.1:${engine.port}`,
  ) => {
    const reply = await request(`${engine.origin}${path}`, { headers: { ...headers, host } });
    return { status: reply.statusCode, text: await reply.body.text() };
  };
  t.is((await ask(engine.headers)).text, '1\n');
  t.is((await ask({ 'x-clickhouse-key': new URL(engine.url).password })).text, '1\n');
  t.is((await ask({})).status, 401);
  for (const wrong of ['default:', 'default:wrong', `default:${new URL(engine.url).password}x`, ':'])
    t.is((await ask({ authorization: `Basic ${btoa(wrong)}` })).status, 403, wrong);
  t.is((await ask({}, `/?query=SELECT%201&password=${new URL(engine.url).password}`)).status, 401, 'not in the URL');
  t.is((await ask({ ...engine.headers, origin: 'http://localhost:3000' })).status, 403, 'a page');
  for (const host of ['explorer.example', '192.168.1.7:8123', 'localhost.example:8123', '127.0.0.1.example'])
    t.is((await ask(engine.headers, '/', host)).status, 403, 'a name that was made to resolve to this machine');
  t.is((await ask(engine.headers, '/?query=SELECT%201', `localhost:${engine.port}`)).text, '1\n');
  t.is((await ask({}, '/ping')).status, 200);
  t.is((await ask({ origin: 'null' }, '/ping')).status, 403);
  t.is((await stat(join(dir, 'clickhouse-password'))).mode & 0o777, 0o600);
  const before = await readFile(join(dir, 'clickhouse-password'), 'utf8');
  const log = silentLog;
  const second = { dataDir: dir, port: await freePort(), signal: new AbortController().signal, log };
  t.is(await runEmbeddedClickHouse(second), 2, 'a second engine with the same directory');
  t.is(await readFile(join(dir, 'clickhouse-password'), 'utf8'), before, 'the password of the first one still counts');
  await rm(join(dir, 'clickhouse-port'));
  // from another container, only the lock of the first engine is visible: the second engine waits for it and changes
  // nothing
  const locked = new AbortController();
  const onLine = (line: string) => {
    if (/Cannot lock file/.test(line)) locked.abort();
  };
  const unseen = runEmbeddedClickHouse({ ...second, port: await freePort(), signal: locked.signal, onLine });
  t.is(await unseen, 0);
  t.is(await readFile(join(dir, 'clickhouse-password'), 'utf8'), before);
  const password = makePassword();
  t.not(password, before, 'each start makes another one');
  publishEngine(dir, { password, port: 1 });
  t.is(await readFile(join(dir, 'clickhouse-password'), 'utf8'), password);
  t.is((await stat(join(dir, 'clickhouse-password'))).mode & 0o777, 0o600);
});
