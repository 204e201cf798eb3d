import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import { passwordFileIn, readPassword } from '#runtime/engine-password.ts';
import { silentLog } from '#runtime/log.ts';
import { freePort, scratchFolder, waitFor } from '#test/helpers/processes.ts';

// one call of a function on one row, in which the engine checks no time limit: it takes a minute or more
const endless = 'SELECT hasAll(range(1500000), range(1500000))';

test('queries of clients that nothing can stop take no place of the service, and end with a restart', async (t) => {
  const dir = await scratchFolder('cordscan-stuck');
  const stop = new AbortController();
  const port = await freePort();
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const running = runEmbeddedClickHouse({
    dataDir: join(dir, 'data'),
    port,
    signal: stop.signal,
    log: silentLog,
    onLine,
  });
  t.teardown(async () => {
    stop.abort();
    await running;
    await rm(dir, { recursive: true, force: true });
  });
  const ask = async (sql: string, settings: Record<string, string> = {}): Promise<string> => {
    const headers = {
      'x-clickhouse-user': 'default',
      'x-clickhouse-key': readPassword(passwordFileIn(join(dir, 'data'))),
    };
    const url = `http://127.0.0.1:${port}/?${new URLSearchParams(settings)}`;
    return (await fetch(url, { method: 'POST', headers, body: sql })).text();
  };
  const answers = () =>
    ask('SELECT 1').then(
      (text) => text === '1\n',
      () => false,
    );
  await waitFor(answers, 60_000, 'the engine starts');
  const stuck = Array.from({ length: 20 }, () =>
    ask(endless, { role: 'sql_user', readonly: '1', max_execution_time: '1' }).then(
      (text) => text,
      () => 'the connection broke',
    ),
  );
  await waitFor(
    () =>
      ask(
        "SELECT count() FROM system.processes WHERE query LIKE '%hasAll(range%' AND query NOT LIKE '%processes%'",
      ).then((text) => text === '4\n'),
    20_000,
    'four of them run',
  );
  t.is(await ask('SELECT 2'), '2\n');
  t.deepEqual([...new Set(await Promise.all(stuck))], ['the connection broke']);
  t.true(
    lines.some((line) => line.includes("a query of a client can't be stopped") && line.includes(endless)),
    lines.join('\n'),
  );
  await waitFor(answers, 60_000, 'the engine starts again');
});
