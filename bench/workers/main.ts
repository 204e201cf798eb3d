/**
 * Compares how fast one and two pipeline processes store a chain from a slow node that limits concurrent requests.
 * `npm run bench -- workers [--blocks 4000] [--latency 50] [--runs 3]`
 */
import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { silentLog } from '#runtime/log.ts';
import { startChild } from '#runtime/supervise.ts';
import type { Database } from '#sql/client.ts';
import { openDatabase } from '#sql/open-database.ts';
import { isBackfilled, readChainState } from '#sql/snapshot.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { quantile } from '../measure/statistics.ts';
import { recordedChain } from '../replay/record.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '4000' },
    latency: { type: 'string', default: '50' },
    runs: { type: 'string', default: '3' },
  },
});
const [blocks, latencyMs, runs] = [Number(values.blocks), Number(values.latency), Number(values.runs)];
const limits = { RPC_MAX_IN_FLIGHT: '4', RPC_BATCH_BLOCKS: '5' };

const port = await freePort();
(await recordedChain(blocks, await freePort())).length = 0; // record the chain before the measurement
const replay = startChild({ script: 'bench/replay/main.ts', args: [String(blocks), String(port), String(latencyMs)] });
await new Promise((resolve) => replay.once('message', resolve));
const dir = scratch();
const engine = await startEngine(dir);
const walls = new Map<number, number[]>([
  [1, []],
  [2, []],
]);
for (let run = 0; run < runs; run++)
  for (const [workers, times] of walls) times.push(await backfill(`bench_${workers}_${run}`, workers));
for (const [workers, times] of walls) {
  report(
    `${workers} at ${latencyMs} ms a request`,
    's',
    times.map((ms) => ms / 1_000),
  );
  report(`${workers} at ${latencyMs} ms a request, speed`, 'blocks/s', (1_000 * blocks) / quantile(times, 0.5));
}
await engine.stop();
replay.kill('SIGTERM');
process.exit(0);

/** Runs `count` pipeline processes. @returns ms from the time when all of them run until all blocks are stored */
async function backfill(name: string, count: number): Promise<number> {
  const database = await openDatabase(
    { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: name },
    { log: silentLog, waitMs: 60_000 },
  );
  const env = { RPC_URL: `http://127.0.0.1:${port}`, CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: name };
  const children: ChildProcess[] = [];
  for (let i = 0; i < count; i++) {
    children.push(spawnCordscan(['index'], { ...env, ...limits, CLAIM_BLOCKS: '200', INSERT_TARGET_ROWS: '20000' }));
    await waitFor(async () => (await livingWorkers(database)) === i + 1, 60_000, 'a pipeline has started');
  }
  const startedAt = performance.now();
  const before = (await readChainState(database))?.backfilledBefore ?? 0;
  const isDone = async () => {
    const state = await readChainState(database);
    return state !== undefined && isBackfilled(state);
  };
  await waitFor(isDone, 600_000, 'history is complete');
  const wallMs = performance.now() - startedAt;
  console.log(`${name}: ${(wallMs / 1000).toFixed(2)} s, ${before} blocks were there at its start`);
  for (const child of children) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
  await database.command(`DROP DATABASE ${name} SYNC`);
  await database.close();
  return wallMs;
}

async function livingWorkers(database: Database): Promise<number> {
  return (await database.read('workers')).length;
}
