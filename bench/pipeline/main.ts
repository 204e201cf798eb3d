/**
 * Compares the time in which the pipeline stores a chain with the time for only fetching and parsing its JSON. Also
 * stores the chain with RAW_CACHE_DIR (blocks as the node sent them), and from these files without a node.
 * `npm run bench -- pipeline [--blocks 10000] [--runs 3]`
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { Pool } from 'undici';
import { known } from '#runtime/known.ts';
import { silentLog } from '#runtime/log.ts';
import { startChild } from '#runtime/supervise.ts';
import { Database } from '#sql/client.ts';
import { freePort, startEngine } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { cpuSeconds, folderBytes, peakMegabytes, quantile } from '../measure/statistics.ts';
import { recordedChain } from '../replay/record.ts';

const { values } = parseArgs({
  options: { blocks: { type: 'string', default: '10000' }, runs: { type: 'string', default: '3' } },
});
const [blocks, runs] = [Number(values.blocks), Number(values.runs)];
const chain = await recordedChain(blocks, await freePort());
const transactions = chain.reduce(
  (sum, { receipts }) =>
    sum +
    (receipts.match(/"transactionHash":"0x[0-9a-f]{64}","transactionIndex":"0x[0-9a-f]+","blockHash"/g)?.length ?? 0),
  0,
);
const bytes = chain.reduce((sum, { block, receipts }) => sum + block.length + receipts.length, 0);
chain.length = 0;
const port = await freePort();
const replay = startChild({ script: 'bench/replay/main.ts', args: [String(blocks), String(port)] });
await new Promise((resolve) => replay.once('message', resolve));
const url = `http://127.0.0.1:${port}`;
report('blocks', 'count', blocks + 1);
report('JSON', 'MB', bytes / 1e6);
report('transactions', 'count', transactions);
await floor(); // warm-up, not measured
const floors: number[] = [];
/** Times of the three ways to store the chain, ms. */
const walls: Record<'plain' | 'filling' | 'cached', number[]> = { plain: [], filling: [], cached: [] };
const cpu = new Map<string, number[]>();
const dir = scratch();
const engine = await startEngine(dir);
for (let run = 0; run < runs; run++) {
  floors.push(await floor());
  walls.plain.push(await backfill(run, url));
  const rawCacheDir = scratch();
  walls.filling.push(await backfill(run, url, rawCacheDir));
  walls.cached.push(await backfill(run, '-', rawCacheDir));
  if (run === 0) report('raw cache, size', 'MB', folderBytes(rawCacheDir) / 1e6);
  rmSync(rawCacheDir, { recursive: true });
}
const toSeconds = (ms: readonly number[]) => ms.map((one) => one / 1_000);
report('floor: fetch and parse the JSON', 's', toSeconds(floors));
report('backfill', 's', toSeconds(walls.plain));
report('backfill that fills the raw cache', 's', toSeconds(walls.filling));
report('backfill from the raw cache, without a node', 's', toSeconds(walls.cached));
report('backfill', 'times the floor', quantile(walls.plain, 0.5) / quantile(floors, 0.5));
for (const [figure, values] of cpu) report(figure, 'CPU s per million transactions', values);
await engine.stop();
replay.kill('SIGTERM');
process.exit(0);

async function floor(): Promise<number> {
  const pool = new Pool(url, { connections: 16 });
  const queue = new PQueue({ concurrency: 16 });
  const startedAt = performance.now();
  for (let from = 0; from <= blocks; from += 20) {
    const calls = Array.from(
      { length: Math.min(20, blocks - from + 1) },
      (_, i) => `0x${(from + i).toString(16)}`,
    ).flatMap((number, i) => [
      { jsonrpc: '2.0', id: 2 * i, method: 'eth_getBlockByNumber', params: [number, true] },
      { jsonrpc: '2.0', id: 2 * i + 1, method: 'eth_getBlockReceipts', params: [number] },
    ]);
    await queue.onSizeLessThan(16);
    void queue.add(async () => {
      const reply = await pool.request({
        path: '/',
        method: 'POST',
        body: JSON.stringify(calls),
        headers: { 'content-type': 'application/json' },
      });
      JSON.parse(await reply.body.text());
    });
  }
  await queue.onIdle();
  await pool.close();
  return performance.now() - startedAt;
}

interface ChildResult {
  readonly wallMs: number;
  readonly cpuSeconds: number;
  readonly mainSeconds: number;
  readonly startMs: number;
}

/** Lets the pipeline store all blocks. @returns wall time until the last row of the last table is stored, ms */
async function backfill(run: number, rpcUrl: string, rawCacheDir?: string): Promise<number> {
  const name = `bench_${run}`;
  const enginePid = engine.pid();
  const engineBefore = cpuSeconds(enginePid);
  const child = startChild({
    script: 'bench/pipeline/backfill-child.ts',
    args: [rpcUrl, engine.url, name],
    env: rawCacheDir === undefined ? {} : { RAW_CACHE_DIR: rawCacheDir },
  });
  const result = await new Promise<ChildResult>((resolve) =>
    child.once('message', (message) => resolve(message as ChildResult)),
  );
  const peak = peakMegabytes(known(child.pid, 'the process of the pipeline'));
  child.kill('SIGTERM');
  const engineCpu = cpuSeconds(enginePid) - engineBefore;
  const database = new Database({ url: engine.url, database: name, log: silentLog, waitMs: 1_000 });
  const [counts] = await database.read<Record<string, string>>({
    name: 'bench_counts',
    serves: [],
    parameters: [],
    budget: { maxSeconds: 60, maxMemoryBytes: 2 ** 31, maxResultRows: 1 },
    sql: `SELECT sumIf(rows, table = 'transactions') AS transactions, sumIf(rows, table = 'logs') AS logs,
      sumIf(rows, table IN ('blocks', 'transactions', 'logs', 'address_roles')) AS base_rows, sum(rows) AS all_rows, sum(bytes_on_disk) AS bytes
      FROM system.parts WHERE active AND database = '${name}'`,
  });
  if (rawCacheDir === undefined) {
    const seconds = result.wallMs / 1_000;
    const stored = Number(counts?.transactions);
    cpu.set('pipeline', [...(cpu.get('pipeline') ?? []), (1e6 * result.cpuSeconds) / stored]);
    cpu.set('pipeline, main thread', [
      ...(cpu.get('pipeline, main thread') ?? []),
      (1e6 * result.mainSeconds) / stored,
    ]);
    cpu.set('database', [...(cpu.get('database') ?? []), (1e6 * engineCpu) / stored]);
    report(`run ${run}, transactions`, 'rows/s', stored / seconds);
    report(`run ${run}, rows with derived ones`, 'rows/s', Number(counts?.all_rows) / seconds);
    report(`run ${run}, peak memory of the pipeline`, 'MB', peak);
    report(`run ${run}, on disk`, 'MB', Number(counts?.bytes) / 1e6);
  }
  await database.command(`DROP DATABASE ${name} SYNC`);
  await database.close();
  return result.wallMs;
}
