import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import { passwordFileIn, readPassword } from '#runtime/engine-password.ts';
import { silentLog } from '#runtime/log.ts';
import { freePort, scratchFolder, waitFor } from '#test/helpers/processes.ts';

// one call of a function on one row, in which the engine checks no time limit: it takes a minute or more
const endless = 'SELECT hasAll(range(1500000), range(1500000))';
const ofUser = { role: 'sql_user', readonly: '1', max_execution_time: '1' };

const lines: string[] = [];
let dataDir: string;
let port: number;
let stop: () => Promise<void>;

test.before(async () => {
  const dir = await scratchFolder('cordscan-stuck');
  dataDir = join(dir, 'data');
  port = await freePort();
  const stopping = new AbortController();
  const onLine = (line: string) => void lines.push(line);
  const running = runEmbeddedClickHouse({ dataDir, port, signal: stopping.signal, log: silentLog, onLine });
  stop = async () => {
    stopping.abort();
    await running;
    await rm(dir, { recursive: true, force: true });
  };
  await waitFor(answers, 60_000, 'the engine starts');
});
test.after.always(() => stop?.());

const open = (settings: Record<string, string>) => ({
  url: `http://127.0.0.1:${port}/?${new URLSearchParams(settings)}`,
  headers: { 'x-clickhouse-user': 'default', 'x-clickhouse-key': readPassword(passwordFileIn(dataDir)) },
});

async function ask(sql: string, settings: Record<string, string> = {}): Promise<string> {
  const { url, headers } = open(settings);
  return (await fetch(url, { method: 'POST', headers, body: sql })).text();
}

const answers = () =>
  ask('SELECT 1').then(
    (text) => text === '1\n',
    () => false,
  );

const countRunning = (mark: string) =>
  ask(`SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%system.processes%'`);

test.serial('a query whose client does not read ends after its time limit, without a restart', async (t) => {
  const { url, headers } = open({ ...ofUser, wait_end_of_query: '0' });
  const sending = request(url, { method: 'POST', headers });
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
