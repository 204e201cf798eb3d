/**
 * Measures replies about supply and price while the chain grows by a block every `--interval` ms (0: the chain does not
 * grow).
 * `npm run bench -- supply [--requests 3000] [--trades 300000] [--interval 1000]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { DevRpc } from '#devchain/dev-rpc.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { Database } from '#sql/client.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '3000' },
    trades: { type: 'string', default: '300000' },
    interval: { type: 'string', default: '1000' },
  },
});
const dir = scratch();
const engine = await startEngine(dir);
const [port, nodePort] = [await freePort(), await freePort()];
const env = {
  DEVCHAIN_PORT: String(nodePort),
  CLICKHOUSE_URL: engine.url,
  PORT: String(port),
  LOG_LEVEL: 'error',
  DATA_DIR: dir,
};
const children = [spawnCordscan(['devchain', '--blocks', '400', '--interval', values.interval], env)];
const node = new DevRpc(`http://127.0.0.1:${nodePort}`);
const isListening = () => node.call('eth_blockNumber', []).then(Boolean, () => false);
await waitFor(isListening, 120_000, 'the dev chain answers');
children.push(spawnCordscan(['index'], env), spawnCordscan(['api'], env));

const base = `http://127.0.0.1:${port}/api/v1`;
const get = async (path: string) => {
  const { statusCode, body } = await request(base + path);
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: HTTP status ${statusCode} ${text}`);
  return text;
};
const isReady = async () => (await get('/nativefat/price').catch(() => '{}')).includes('"complete":true');
await waitFor(isReady, 60_000, 'the service is at the head');
await pause(10_000); // let the service finish its startup work

const times = async (path: string, requests: number) => {
  const all: number[] = [];
  for (let i = 0; i < requests; i++) {
    const at = performance.now();
    await get(path);
    all.push(performance.now() - at);
  }
  return all;
};
const requests = Number(values.requests);
for (const path of ['/supply/total', '/supply/circulating', '/supply/reconciliation', '/nativefat/price']) {
  await times(path, 30);
  report(path, 'ms', await times(path, requests));
}

const database = new Database({ url: engine.url, database: 'cordscan', log: silentLog, waitMs: 5_000 });
await database.command(`INSERT INTO swaps SELECT * EXCEPT n REPLACE (toUInt32(1000000 + n * 100 + log_index % 100) AS log_index) FROM
  (SELECT * FROM swaps WHERE block_number BETWEEN 100 AND 300 AND final = 1 LIMIT 100) AS sample
  CROSS JOIN (SELECT number AS n FROM numbers(${Math.ceil(Number(values.trades) / 100)})) AS copies`);
const cold: number[] = [];
for (let i = 0; i < 30; i++) {
  const at = performance.now();
  await get(`/nativefat/price?window=${86_400 + i}`);
  cold.push(performance.now() - at);
}
report(`/nativefat/price computed over ${values.trades} more trades`, 'ms', cold);

for (const child of children) child.kill('SIGTERM');
await Promise.all([database.close(), node.close()]);
await engine.stop();
process.exit(0);
