/**
 * Measures how much time each cache of the API saves, with one request at a time and with 20 at once.
 * `npm run bench -- caches [--transactions 300000] [--requests 60] [--bursts 8] [--only totals,pools] [--dir <directory
 * to fill and keep>]`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Wallet } from 'ethers';
import { SeriesReader } from '#api/read/charts/series-reader.ts';
import { OpenBuckets } from '#api/tail/open-buckets.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { startEngine } from '#test/helpers/processes.ts';
import { startAnsweringNode } from '../api/answering-node.ts';
import { getTime, readHashes, transactionsPerBlock } from '../api/fill-chain.ts';
import { GrowingChain, openBlocks } from '../api/growing-chain.ts';
import { mintKey } from '../measure/mint-key.ts';
import { report, scratch } from '../measure/report.ts';
import { compareAlone, compareAtOnce, formatTimes } from './compare.ts';
import { agentContract, fillMore, market } from './fill-more.ts';
import { situations } from './situations.ts';
import { startBenchApi } from './start-api.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '300000' },
    requests: { type: 'string', default: '60' },
    bursts: { type: 'string', default: '8' },
    only: { type: 'string' },
    dir: { type: 'string' },
  },
});
const dir = values.dir ?? scratch();
const engine = await startEngine(dir);
const location = { CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'history' };
const database = await openDatabase(
  { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'history' },
  { log: silentLog, waitMs: 60_000 },
);
const chain = await GrowingChain.open(database);
await fill(Number(values.transactions) + openBlocks * transactionsPerBlock);
const env = {
  ...location,
  RPC_URL: await startAnsweringNode(() => chain.head),
  DATA_DIR: join(dir, 'api'),
  AGENT_TESTIMONY_CONTRACT: agentContract,
};
const api = await startBenchApi(database, env);
const noBlocks = { blocks: 0, transactions: 0, actors: 0 };
const busyApi = await startBenchApi(database, env, () => ({
  series: new SeriesReader(database, new OpenBuckets(database, noBlocks)),
}));
const marketApi = await startBenchApi(database, {
  ...env,
  WFAT_ADDRESS: market.wrapped,
  STABLECOINS: market.dollar,
  DEX_POOLS: [market.pool, market.wrapped, market.dollar].join(':'),
});

async function renew(): Promise<void> {
  await chain.addBlock();
  for (const { deps } of [api, busyApi, marketApi]) await deps.snapshots.current();
}

const numbers = [...Array(20).keys()].map((i) => 1_000 + i * 100);
const all = situations({
  origin: api.origin,
  busyOrigin: busyApi.origin,
  marketOrigin: marketApi.origin,
  hashes: await readHashes(database, numbers),
  head: chain.head,
  headTime: getTime(chain.head),
  key: await mintKey(api.origin, Wallet.createRandom()),
});
const only = values.only?.split(',');
console.log('| cache | request | with: p50 p99 | without: p50 p99 | 20 at once, with | without |');
for (const situation of all.filter(({ cache }) => only?.includes(cache) ?? true)) {
  const alone = formatTimes(await compareAlone(situation, Number(values.requests), renew));
  const atOnce = situation.isAloneOnly
    ? ' | '
    : formatTimes(await compareAtOnce(situation, Number(values.bursts), renew));
  console.log(`| \`${situation.cache}\` | ${situation.asked} | ${alone} | ${atOnce} |`);
}
await database.close();
await engine.stop();
process.exit(0);

async function fill(target: number): Promise<void> {
  if (chain.filled >= target) return;
  const startedAt = performance.now();
  await chain.grow(target, true);
  await fillMore(database, chain.store.state.finalized);
  await chain.close();
  report(`fill ${chain.filled} transactions`, 's', (performance.now() - startedAt) / 1000);
}
