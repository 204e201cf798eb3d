/**
 * Exports a complete history page by page. Then measures a client with an API key during a flood of requests without
 * keys.
 * `npm run bench -- identity --dir <directory filled by bench api> [--rows 500000] [--seconds 20] [--flood 1000]
 * [--only export,flood]`
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Wallet } from 'ethers';
import { request } from 'undici';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { openDatabase } from '#sql/open-database.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startAnsweringNode } from '../api/answering-node.ts';
import { busiest } from '../api/fill-chain.ts';
import { mintKey } from '../measure/mint-key.ts';
import { report } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    rows: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '20' },
    flood: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'export,flood' },
  },
});
if (!values.dir) throw new Error('set --dir to a directory filled by `npm run bench -- api --only none --dir …`');
const autocannon = join(import.meta.dirname, '../../node_modules/.bin/autocannon');
const engine = await startEngine(values.dir);
const location = { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'history' };
const database = await openDatabase(location, { log: silentLog, waitMs: 60_000 });
const store = new ChainStateStore({ database });
await store.load();
const operator = Wallet.createRandom();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const api = spawnCordscan(['api'], {
  CLICKHOUSE_URL: engine.url,
  CLICKHOUSE_DATABASE: 'history',
  PORT: String(port),
  LOG_LEVEL: 'fatal',
  RPC_URL: await startAnsweringNode(() => store.state.head),
  DATA_DIR: join(values.dir, 'api'),
  RATE_LIMITS: 'enforce',
  SEMANTIC_OPERATOR_WALLETS: operator.address,
  RATE_OPERATOR: '100000000',
});
const isReady = async () => (await request(`${origin}/healthz`).catch(() => undefined))?.statusCode === 200;
await waitFor(isReady, 60_000, 'the API is ready');
const headers = { 'x-api-key': await mintKey(origin, operator) };
if (values.only.includes('export')) await exportHistory(Number(values.rows));
if (values.only.includes('flood')) await flood(Number(values.flood), Number(values.seconds));
api.kill('SIGTERM');
await database.close();
await engine.stop();
process.exit(0);

async function exportHistory(wanted: number): Promise<void> {
  for (const order of ['asc', 'desc']) {
    const seen = new Set<string>();
    const times: number[] = [];
    let [rows, cursor] = [0, ''];
    const startedAt = performance.now();
    do {
      const at = performance.now();
      const path = `/v1/history/${busiest}?from=0&to=${store.state.finalized}&limit=200&order=${order}${cursor}`;
      const reply = await request(origin + path, { headers });
      const page = (await reply.body.json()) as { transactions: { txHash: string }[]; nextCursor: string | null };
      times.push(performance.now() - at);
      for (const { txHash } of page.transactions) seen.add(txHash);
      rows += page.transactions.length;
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '' && rows < wanted);
    const perSecond = Math.round((1000 * rows) / (performance.now() - startedAt));
    report(`export ${order}`, 'rows/s', perSecond);
    report(`export ${order}, duplicates`, 'rows', rows - seen.size);
    report(`export ${order}, page`, 'ms', times);
  }
}

async function flood(perSecond: number, seconds: number): Promise<void> {
  const page = async () => {
    const at = performance.now();
    const from = Math.floor(Math.random() * store.state.finalized);
    const reply = await request(`${origin}/api/v1/accounts/${busiest}/transactions?limit=50&to=${from}`, { headers });
    await reply.body.dump();
    if (reply.statusCode !== 200) throw new Error(`a request with an API key got HTTP status ${reply.statusCode}`);
    return performance.now() - at;
  };
  const client = async () => {
    const times: number[] = [];
    const until = performance.now() + 1000 * seconds;
    while (performance.now() < until) {
      times.push(await page());
      await pause(20);
    }
    return times;
  };
  for (let i = 0; i < 50; i++) await page();
  report('client with a key, idle', 'ms', await client());
  const flooding = floodBy(perSecond, seconds + 4);
  await pause(2_000);
  report(`client with a key during ${perSecond} anonymous requests/s`, 'ms', await client());
  console.log('anonymous requests by status:', await flooding);
}

async function floodBy(perSecond: number, seconds: number): Promise<unknown> {
  const args = ['-j', '-c', '50', '-R', String(perSecond), '-d', String(seconds)];
  const child = spawn(autocannon, [...args, `${origin}/api/v1/transactions?limit=50`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { statusCodeStats: unknown }).statusCodeStats;
}
