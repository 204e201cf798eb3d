/**
 * The API at size, over HTTP, at a twentieth and at the whole of `--transactions`: latency of every kind of reply alone,
 * of a mix that arrives at a rate, 200 readers at once, and the speed of exports.
 * `npm run bench -- api [--transactions 20000000] [--requests 1000] [--dir <directory that is filled and kept>]`
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { ChainStateStore, undoubted } from '#pipeline/store/chain-state-store.ts';
import { known } from '#runtime/known.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { provenance } from '../measure/statistics.ts';
import { startAnsweringNode } from './answering-node.ts';
import { measureExports } from './exports.ts';
import { closeRollups, fillChain, transactionsPerBlock } from './fill-chain.ts';
import { measureCompatible, measureLatencies } from './latencies.ts';
import { measureMix, measureReaders } from './load.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '20000000' },
    requests: { type: 'string', default: '1000' },
    dir: { type: 'string' },
    only: { type: 'string', default: 'latencies,compatible,exports,mix,readers' },
  },
});
const [all, requests, only] = [Number(values.transactions), Number(values.requests), values.only.split(',')];
console.log(provenance());
const dir = values.dir ?? (await mkdtemp(join(tmpdir(), 'cordscan-api-')));
const engine = await startEngine(dir);
const database = await openDatabase(
  { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'history' },
  { log: silentLog, waitMs: 60_000 },
);
const store = new ChainStateStore({ database });
const env = {
  CLICKHOUSE_URL: engine.url,
  CLICKHOUSE_DATABASE: 'history',
  PORT: String(await freePort()),
  RPC_URL: await startAnsweringNode(() => store.state.head),
  LOG_LEVEL: 'fatal',
};
const origin = `http://127.0.0.1:${env.PORT}`;
/** Blocks behind the last closed era, and of them the ones that are not final yet. */
const [openBlocks, unfinalizedBlocks] = [999, 32];
/** Blocks that become final together. */
const finalizedAtOnce = 16;
let filled = await openChain();
for (const transactions of [all / 20, all]) {
  const target = transactions + openBlocks * transactionsPerBlock;
  if (filled > target && transactions !== all) continue;
  const startedAt = performance.now();
  if (filled < target) await grow(target, transactions === all);
  await closeRollups(database, store);
  console.log(`${filled} transactions, filled and closed in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  await measure(transactions, store.state.head);
}
await database.close();
await engine.stop();
if (!values.dir) await rm(dir, { recursive: true, force: true });
process.exit(0);

/** @returns transactions that an earlier run left in the directory */
async function openChain(): Promise<number> {
  if (await store.load()) return (store.state.head + 1) * transactionsPerBlock;
  const marks = { startBlock: 0, rollupThrough: 0, hourThrough: 0, dayThrough: 0, droppedThrough: 0, ...undoubted };
  await store.init({
    ...marks,
    quarantined: [],
    reorgGeneration: 1,
    chainHead: 0,
    backfilledBefore: 0,
    followFrom: 0,
    finalized: 0,
    head: 0,
    headHash: `0x${'0'.repeat(64)}`,
  });
  return 0;
}

/** @param isLast only the last stage has blocks that are not final: nothing is promoted between stages */
async function grow(target: number, isLast: boolean): Promise<void> {
  const head = target / transactionsPerBlock - 1;
  const finalized = isLast ? head - unfinalizedBlocks : head;
  // blocks that were added one by one while a smaller chain was measured are settled too
  await fillChain(
    database,
    Math.min(filled, (store.state.finalized + 1) * transactionsPerBlock),
    target,
    finalized + 1,
  );
  filled = target;
  await store.publish({
    backfilledBefore: finalized + 1,
    followFrom: finalized + 1,
    finalized,
    head,
    chainHead: head,
  });
}

/** One block more; the oldest that are not final are settled in batches, as the pipeline settles them. */
async function addBlock(): Promise<void> {
  const head = store.state.head + 1;
  await fillChain(database, head * transactionsPerBlock, (head + 1) * transactionsPerBlock, head);
  filled = (head + 1) * transactionsPerBlock;
  const headHash = `0x${head.toString(16).padStart(64, '0')}`;
  await store.publish({ head, headHash, chainHead: head });
  const { finalized } = store.state;
  if (head - finalized < unfinalizedBlocks + finalizedAtOnce) return;
  const through = finalized + finalizedAtOnce;
  const [from, to] = [(finalized + 1) * transactionsPerBlock, (through + 1) * transactionsPerBlock];
  await fillChain(database, from, to, through + 1);
  await store.publish({ finalized: through, droppedThrough: through });
  const partitions = await database.read('unfinalized_partitions');
  for (const { table, block_number } of partitions)
    if (Number(block_number) <= through)
      await database.command(`ALTER TABLE ${table} DROP PARTITION (0, ${block_number})`);
}

async function measure(transactions: number, head: number): Promise<void> {
  const api = spawnCordscan(['api'], env);
  const isReady = async () => (await request(`${origin}/healthz`).catch(() => undefined))?.statusCode === 200;
  await waitFor(isReady, 30_000, 'the API answers');
  const subject = { origin, database, head, requests, pid: known(api.pid, 'the process of the API') };
  if (only.includes('latencies')) await measureLatencies(subject, addBlock);
  if (only.includes('compatible')) await measureCompatible(subject);
  if (only.includes('mix')) await measureMix(subject);
  if (only.includes('readers')) await measureReaders(subject);
  if (only.includes('exports') && transactions === all) await measureExports(subject);
  api.kill('SIGTERM');
}
