/**
 * History at size: pages of 200 anywhere in any address over HTTP, at 1 and at 10 million address-role rows, one address
 * with a fifth of them: `npm run bench -- api [--rows 10000000] [--requests 1500]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { Random } from '#runtime/devchain/random.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { loadStatements } from '#sql/statements.ts';
import { pool } from '#test/helpers/pool.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { provenance, summary } from '../measure/statistics.ts';
import { addressOf, busiest, fillHistory, transactionsPerBlock } from './fill-history.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '10000000' }, requests: { type: 'string', default: '1500' } },
});
const [allRows, requests] = [Number(values.rows), Number(values.requests)];
console.log(provenance());
const dir = await mkdtemp(join(tmpdir(), 'cordscan-api-'));
const engine = await startEngine(dir);
const port = await freePort();
const env = {
  CLICKHOUSE_URL: engine.url,
  CLICKHOUSE_DATABASE: 'history',
  PORT: String(port),
  RPC_URL: 'http://127.0.0.1:9',
  LOG_LEVEL: 'fatal',
};
const database = await openDatabase(
  { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'history' },
  { log: silentLog, waitMs: 60_000 },
);
const store = new ChainStateStore({ database, statements: loadStatements() });
const marks = {
  startBlock: 0,
  eraThrough: 0,
  hourThrough: 0,
  dayThrough: 0,
  droppedThrough: 0,
  parked: [],
  epoch: 1,
  chainHead: 0,
};
await store.init({
  ...marks,
  backfilledBefore: 0,
  followFrom: 0,
  finalized: 0,
  head: 0,
  headHash: `0x${'0'.repeat(64)}`,
});
const api = spawnCordscan(['api'], env);
await waitFor(
  async () => (await request(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.statusCode === 200,
  30_000,
  'the API answers',
);

let filled = 0;
for (const rows of [allRows / 10, allRows]) {
  await fillHistory(database, filled, rows);
  filled = rows;
  const settled = rows / 2 / transactionsPerBlock - 1;
  await store.publish({
    backfilledBefore: settled + 1,
    followFrom: settled + 1,
    finalized: settled,
    head: settled,
    chainHead: settled,
  });
  await measure(rows, settled, 1);
  await measure(rows, settled, 4);
}
api.kill('SIGTERM');
await database.close();
await engine.stop();
await rm(dir, { recursive: true, force: true });
process.exit(0);

async function measure(rows: number, head: number, width: number): Promise<void> {
  const random = new Random(rows + width);
  const page = async (address: string, to: number, times: number[]) => {
    const startedAt = performance.now();
    const reply = await request(`http://127.0.0.1:${port}/api/v1/accounts/${address}/transactions?limit=200&to=${to}`);
    await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`);
    times.push(performance.now() - startedAt);
  };
  const run = async (pick: () => string) => {
    const times: number[] = [];
    await pool(100, width, () => page(pick(), random.between(1, head), []));
    await pool(requests, width, () => page(pick(), random.between(1, head), times));
    return summary(times);
  };
  console.log(
    `${rows} rows, ${width} at a time, page of 200 anywhere in the busiest address, ms`,
    await run(() => busiest),
  );
  console.log(
    `${rows} rows, ${width} at a time, page of 200 anywhere in any address, ms`,
    await run(() => addressOf(random.next())),
  );
  const lists: number[] = [];
  for (let i = 0; i < 15; i++) {
    const address = i % 3 === 0 ? busiest : addressOf(random.next() ** 4);
    const startedAt = performance.now();
    const sort = i % 2 ? 'asc' : 'desc';
    const reply = await request(
      `http://127.0.0.1:${port}/api?module=account&action=txlist&address=${address}&page=1&offset=10000&sort=${sort}`,
    );
    await reply.body.text();
    lists.push(performance.now() - startedAt);
  }
  if (width === 1) console.log(`${rows} rows, txlist with offset 10,000 of busy addresses, ms`, summary(lists));
}
