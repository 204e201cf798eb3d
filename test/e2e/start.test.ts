/** `cordscan start` with nothing configured: everything comes up, ends on SIGTERM, and comes up again over the same data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { freePort, spawnCordscan, waitFor } from '#test/helpers/processes.ts';

test('start, SIGTERM and start again over the data of a dev chain that is gone', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cordscan-start-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  for (const run of [1, 2]) {
    const [port, edgePort, devchainPort] = [await freePort(), await freePort(), await freePort()];
    const child = spawnCordscan(['start', '--blocks', '60'], {
      ...{ DATA_DIR: dataDir, PORT: String(port), DEVCHAIN_PORT: String(devchainPort) },
      ...{ EDGE_PORT: String(edgePort), CLICKHOUSE_PORT: String(await freePort()), RPC_URL: '', CLICKHOUSE_URL: '' },
    });
    t.teardown(() => void child.kill('SIGKILL'));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const url = `http://127.0.0.1:${port}`;
    const reply = (path: string) => fetch(url + path, { headers: { connection: 'close' } }).catch(() => undefined);
    await waitFor(async () => (await reply('/healthz'))?.status === 200, 120_000, `start ${run} is healthy`);
    const head = async () => {
      const status = (await (await reply('/api/v1/status'))?.json()) as { head: number } | undefined;
      return status?.head ?? 0;
    };
    const first = await head();
    await waitFor(async () => (await head()) > Math.max(first, 60), 120_000, `start ${run} follows the head`);
    child.kill('SIGTERM');
    t.is(await ended, 0);
  }
});
