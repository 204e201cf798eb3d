import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import test from 'ava';
import { pause } from '#runtime/shutdown.ts';
import { freePort, type RunningEngine, runCordscan, scratchFolder, startEngine } from '#test/helpers/processes.ts';

/** Maximum time until the engine stops, ms: grace period, cancellation of queries, and a margin for a busy machine. */
const boundMs = 18_000;

const post = ({ origin, headers }: RunningEngine, sql: string, query = '') =>
  fetch(`${origin}/?${query}`, { method: 'POST', body: sql, headers }).then(async (reply) => ({
    ok: reply.ok,
    text: await reply.text(),
  }));

test('engine stops in bounded time under load and keeps every acknowledged insert', async (t) => {
  const dir = await scratchFolder('cordscan-stop');
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  let acknowledged = 0;
  for (let round = 0; round < 2; round++) {
    const engine = await startEngine(dir);
    await post(engine, 'CREATE TABLE IF NOT EXISTS kept (n UInt64) ENGINE = MergeTree ORDER BY n');
    // a connection to a missing database must be closed, otherwise the library does not shut down
    for (let i = 0; i < 3; i++) t.false((await post(engine, 'SELECT 1', 'database=nix')).ok);
    const stopping = new AbortController();
    const inserts = Array.from({ length: 3 }, async () => {
      while (!stopping.signal.aborted) {
        const { ok } = await post(engine, 'INSERT INTO kept SELECT number FROM numbers(1000)').catch(() => ({
          ok: false,
        }));
        if (!ok) break;
        acknowledged += 1_000;
      }
    });
    const long = 'SELECT count() FROM numbers(40000000000) WHERE sipHash64(number) = 1';
    const heavy = Array.from({ length: 3 }, () => post(engine, long).catch(() => undefined));
    await pause(700);
    const startedAt = Date.now();
    await engine.stop();
    t.true(Date.now() - startedAt < boundMs, `it ended after ${Date.now() - startedAt} ms`);
    stopping.abort();
    await Promise.all([...inserts, ...heavy]);
  }
  const engine = await startEngine(dir);
  const { text } = await post(engine, 'SELECT count() FROM kept');
  await engine.stop();
  t.true(acknowledged > 0 && Number(text) >= acknowledged, `${text.trim()} rows, ${acknowledged} acknowledged`);
});

test('start names the ports in use, exits with 2, and never shows URLs of another instance', async (t) => {
  const stranger = createServer((_, response) => response.end('{"status":"ok"}'));
  const [port, edgePort] = await Promise.all([freePort(), freePort()]);
  await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
  const edge = createServer();
  await new Promise<void>((resolve) => edge.listen(edgePort, '127.0.0.1', resolve));
  t.teardown(() => void Promise.all([stranger.close(), edge.close()]));
  const dir = await scratchFolder('cordscan-taken');
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const ports = { PORT: String(port), EDGE_PORT: String(edgePort), CLICKHOUSE_PORT: String(await freePort()) };
  const { code, output } = await runCordscan(['start', '--blocks', '5'], {
    ...ports,
    DATA_DIR: dir,
    DEVCHAIN_PORT: String(await freePort()),
    RPC_URL: '',
    CLICKHOUSE_URL: '',
  });
  t.is(code, 2);
  t.regex(output, new RegExp(`PORT: 127.0.0.1:${port} is taken`));
  t.regex(output, new RegExp(`EDGE_PORT: 127.0.0.1:${edgePort} is taken`));
  t.false(/Cordscan, chain|\/api\/v1\/stats/.test(output), output);
});
