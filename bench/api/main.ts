/**
 * Measures replies of the API over HTTP, first with a twentieth of `--transactions` in the database, then with all.
 * `npm run bench -- api [--transactions 20000000] [--requests 1000] [--dir <directory to fill and keep>]`
 */

import { parseArgs } from 'node:util';
import { request } from 'undici';
import { known } from '#runtime/known.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { measurePages, pagesOfLiveNodes } from '../pages/measure-pages.ts';
import { startAnsweringNode } from './answering-node.ts';
import { measureExports } from './exports.ts';
import { transactionsPerBlock } from './fill-chain.ts';
import { GrowingChain, openBlocks } from './growing-chain.ts';
import { measureCompatible, measureLatencies } from './latencies.ts';
import { measureMix, measureReaders } from './load.ts';
import { measureBalances, measureQueries } from './queries.ts';
import { measureSql } from './sql.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '20000000' },
    requests: { type: 'string', default: '1000' },
    dir: { type: 'string' },
    only: { type: 'string', default: 'latencies,compatible,queries,balances,sql,exports,mix,readers,pages' },
  },
});
const [all, requests, only] = [Number(values.transactions), Number(values.requests), values.only.split(',')];
const dir = values.dir ?? scratch();
const engine = await startEngine(dir);
const database = await openDatabase(
  { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'history' },
  { log: silentLog, waitMs: 60_000 },
);
const chain = await GrowingChain.open(database);
const env = {
  // the engine counts as embedded, so its role restricts the SQL of clients
  CLICKHOUSE_PORT: new URL(engine.url).port,
  DATA_DIR: dir,
  SQL_ACCESS: 'open',
  CLICKHOUSE_DATABASE: 'history',
  PORT: String(await freePort()),
  RPC_URL: await startAnsweringNode(() => chain.head),
  LOG_LEVEL: 'fatal',
};
const origin = `http://127.0.0.1:${env.PORT}`;
for (const transactions of [all / 20, all]) {
  const target = transactions + openBlocks * transactionsPerBlock;
  if (chain.filled > target && transactions !== all) continue;
  const startedAt = performance.now();
  if (chain.filled < target) await chain.grow(target, transactions === all);
  await chain.close();
  report(`fill ${chain.filled} transactions`, 's', (performance.now() - startedAt) / 1000);
  await measure(transactions, chain.head);
}
await database.close();
await engine.stop();
process.exit(0);

async function measure(transactions: number, head: number): Promise<void> {
  const api = spawnCordscan(['api'], env);
  const isReady = async () => (await request(`${origin}/healthz`).catch(() => undefined))?.statusCode === 200;
  await waitFor(isReady, 30_000, 'the API is ready');
  const subject = { origin, database, head, requests, pid: known(api.pid, 'the process of the API') };
  if (only.includes('latencies')) await measureLatencies(subject, () => chain.addBlock());
  if (only.includes('compatible')) await measureCompatible(subject);
  if (only.includes('queries')) await measureQueries(subject, () => chain.addBlock());
  if (only.includes('balances')) await measureBalances(subject);
  if (only.includes('sql')) await measureSql(subject);
  if (only.includes('mix')) await measureMix(subject);
  if (only.includes('pages') && transactions === all)
    await measurePages(origin, requests / 5, { renew: () => chain.addBlock(), without: pagesOfLiveNodes });
  if (only.includes('readers')) await measureReaders(subject);
  if (only.includes('exports') && transactions === all) await measureExports(subject);
  api.kill('SIGTERM');
}
