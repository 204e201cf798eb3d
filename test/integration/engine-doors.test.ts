/** What the embedded engine may reach: its own tables, and no file, host, program or setting beside them. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { request } from 'undici';
import { makePassword } from '#runtime/engine-password.ts';
import { type RunningEngine, scratchFolder, startEngine } from '#test/helpers/processes.ts';

const secret = 'secret of the machine';

let engine: RunningEngine;
let dir: string;
let marker: string;
/** Connections that the engine made to a port of ours. */
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

async function query(sql: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(engine.origin, { method: 'POST', body: sql, headers: engine.headers });
  return { status: reply.status, text: await reply.text() };
}

const names = async (table: string) =>
  (await query(`SELECT name FROM system.${table} ORDER BY name`)).text.trim().split('\n');

/** A name as it may be written. */
const spellings = [
  (name: string) => name,
  (name: string) => `\`${name}\``,
  (name: string) => `"${name}"`,
  (name: string) => `${name}/* a comment */`,
];

test('no statement reads or writes a file, reaches a port, or makes what could', async (t) => {
  const path = `'${marker}'`;
  const url = `'http://${far}/a'`;
  const functions = await names('table_functions');
  t.true(functions.length > 80 && functions.includes('file') && functions.includes('url'));
  const statements = [
    ...functions.flatMap((name) =>
      spellings.flatMap((spell) => [
        `SELECT * FROM ${spell(name)}(${path}, 'LineAsString')`,
        `WITH a AS (SELECT * FROM ${spell(name)}(${url}, 'LineAsString')) SELECT * FROM a`,
      ]),
    ),
    ...(await names('table_engines')).flatMap((name) => [
      `CREATE TABLE made_${name} (a String) ENGINE = ${name}(LineAsString, ${path})`,
      `CREATE TABLE far_${name} (a String) ENGINE = ${name}(${url}, 'LineAsString')`,
    ]),
    ...(await names('database_engines')).map((name) => `CREATE DATABASE whole_${name} ENGINE = ${name}('${dir}')`),
    `SELECT * FROM \`${marker}\``,
    `SELECT * FROM default.\`${marker}\``,
    `SELECT 1 INTO OUTFILE ${path} TRUNCATE`,
    `SELECT 1 FORMAT TSV INTO OUTFILE ${path}`,
    `INSERT INTO seen FROM INFILE ${path} FORMAT TSV`,
    // not a table function: it gives the content of a file, and the engine asks for no right to it
    ...spellings.map((spell) => `SELECT ${spell('file')}(${path})`),
    `SELECT "f\\x69le"(${path})`,
    `SELECT \`f\\x69le\`(${path})`,
    `SELECT length("file"\n(${path})) > 0 ? 'secret' || ' of the machine' : ''`,
    `SELECT 1 IN (SELECT * FROM "file"(${path}, 'LineAsString'))`,
    `DESCRIBE TABLE "file"(${path})`,
    `CREATE TABLE taken ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM "file"(${path}, 'LineAsString')`,
    `CREATE VIEW seen AS SELECT * FROM "file"(${path}, 'LineAsString')`,
    `INSERT INTO FUNCTION "file"(${path}, 'TSV', 'a String') SELECT 'taken over'`,
    `INSERT INTO FUNCTION "url"(${url}, 'TSV', 'a String') SELECT 'sent away'`,
    `CREATE DICTIONARY words (a UInt64) PRIMARY KEY a SOURCE(FILE(path ${path} format 'TSV')) LAYOUT(FLAT()) LIFETIME(1)`,
    'CREATE FUNCTION own AS (x) -> x',
    'CREATE USER stranger',
    'CREATE NAMED COLLECTION things AS a = 1',
    'GRANT READ ON FILE TO default',
    "SET dialect = 'prql'",
    'SYSTEM SHUTDOWN',
  ];
  t.log(`${statements.length} statements`);
  for (const sql of statements) {
    const { text } = await query(sql);
    if (text.includes(secret)) t.fail(`${sql}: ${text}`);
  }
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

test('what only reads may change nothing, and rights once given up do not come back', async (t) => {
  for (const sql of ['SET ROLE spool_reader', 'SET readonly = 0', `SELECT * FROM "file"('${marker}', 'LineAsString')`])
    t.false((await query(sql)).text.includes(secret), sql);
  t.is((await query(`SELECT * FROM "file"('${marker}', 'LineAsString')`)).status, 403);
});

test('it answers processes that know the password alone, and no web page', async (t) => {
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
  makePassword(dir);
  t.not(await readFile(join(dir, 'clickhouse-password'), 'utf8'), before, 'each start makes another one');
});
