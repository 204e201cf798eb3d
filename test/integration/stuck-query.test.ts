import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import test from 'ava';
import { postQuery } from '#test/helpers/ask-engine.ts';
import { type RunningEngine, scratchFolder, startEngine, waitFor } from '#test/helpers/processes.ts';

// one function call on one row, during which the engine checks no time limit: it takes a minute or more
const endless = 'SELECT hasAll(range(1500000), range(1500000))';
const ofUser = { role: 'sql_user', readonly: '1', max_execution_time: '1' };

const lines: string[] = [];
let dir: string;
let engine: RunningEngine;

test.before(async () => {
  dir = await scratchFolder('cordscan-stuck');
  engine = await startEngine(dir, (line) => void lines.push(line));
});
test.after.always(async () => {
  await engine?.stop();
  await rm(dir, { recursive: true, force: true });
});

const ask = async (sql: string, settings: Record<string, string> = {}) =>
  (await postQuery(engine, sql, { database: 'default', ...settings })).text;

const answers = () =>
  ask('SELECT 1').then(
    (text) => text === '1\n',
    () => false,
  );

const countRunning = (mark: string) =>
  ask(`SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%system.processes%'`);

test.serial('a query whose client does not read ends after its time limit, without a restart', async (t) => {
  const url = `${engine.origin}/?${new URLSearchParams({ ...ofUser, wait_end_of_query: '0' })}`;
  const { authorization } = engine.headers;
  const sending = request(url, { method: 'POST', headers: { authorization } });
  sending.end("SELECT repeat('unread', 100) FROM numbers(1000000000)");
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  response.pause();
  t.is(await countRunning('unread'), '1\n');
  await waitFor(async () => (await countRunning('unread')) === '0\n', 15_000, 'the query ends');
  t.deepEqual(
    lines.filter((line) => line.includes("can't be stopped")),
    [],
  );
});

test.serial('queries that nothing can stop take no place of the service, and end with a restart', async (t) => {
  const stuck = Array.from({ length: 20 }, () =>
    ask(endless, ofUser).then(
      (text) => text,
      () => 'the connection broke',
    ),
  );
  await waitFor(async () => (await countRunning('hasAll(range')) === '4\n', 20_000, 'four of them run');
  t.is(await ask('SELECT 2'), '2\n');
  t.deepEqual([...new Set(await Promise.all(stuck))], ['the connection broke']);
  const isLogged = (line: string) => line.includes("a query of a client can't be stopped") && line.includes(endless);
  t.true(lines.some(isLogged), lines.join('\n'));
  await waitFor(answers, 60_000, 'the engine starts again');
});
