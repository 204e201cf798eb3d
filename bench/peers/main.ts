/**
 * Stores one recorded chain with Cordscan, Ponder and SQD, one after the other on this machine: wall time, CPU time and
 * size on disk. `bench/peers/<name>` has the project of each peer; npm installs it into a folder that is removed later.
 * SQD needs an empty PostgreSQL database, whose server must run on this machine.
 * `npm run bench -- peers [--blocks 10000] [--runs 3] [--only cordscan,ponder,sqd] [--postgres postgres://…]`
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pause } from '#runtime/shutdown.ts';
import { startChild } from '#runtime/supervise.ts';
import { freePort, startEngine, waitFor } from '#test/helpers/processes.ts';
import { report, scratch } from '../measure/report.ts';
import { cpuSeconds, folderBytes, groupCpuSeconds, programCpuSeconds } from '../measure/statistics.ts';
import { recordedChain } from '../replay/record.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'cordscan,ponder,sqd' },
    postgres: { type: 'string' },
  },
});
const [blocks, runs] = [Number(values.blocks), Number(values.runs)];
const chain = await recordedChain(blocks, await freePort());
const transactions = chain.reduce((sum, { block }) => sum + JSON.parse(block).transactions.length, 0);
chain.length = 0;
const replayPort = await freePort();
const replay = startChild({ script: 'bench/replay/main.ts', args: [String(blocks), String(replayPort)] });
await new Promise((resolve) => replay.once('message', resolve));
const rpcUrl = `http://127.0.0.1:${replayPort}`;
report('transactions', 'count', transactions);

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
}

const peers: Readonly<Record<string, () => Promise<Run>>> = { cordscan: runCordscan, ponder: runPonder, sqd: runSqd };
for (const name of values.only.split(',')) {
  const run = peers[name];
  if (!run || (name === 'sqd' && values.postgres === undefined)) {
    console.error(`${name} is skipped: ${run ? 'set --postgres' : 'there is no such peer'}`);
    continue;
  }
  const done: Run[] = [];
  for (let i = 0; i < runs; i++) done.push(await run());
  report(
    `${name}, start of the process to the last block`,
    's',
    done.map(({ seconds }) => seconds),
  );
  report(
    `${name}`,
    'CPU s per million transactions',
    done.map((one) => (1e6 * one.cpuSeconds) / transactions),
  );
  report(
    `${name}, on disk`,
    'bytes per transaction',
    done.map(({ bytes }) => bytes / transactions),
  );
}
replay.kill('SIGTERM');
process.exit(0);

/** Stores everything that Cordscan stores: blocks, transactions, logs, transfers, histories by address, rollups. */
async function runCordscan(): Promise<Run> {
  const dir = scratch();
  const engine = await startEngine(dir);
  const engineBefore = cpuSeconds(engine.pid());
  const startedAt = performance.now();
  let isDone = false;
  const child = startChild({
    script: 'bin/cordscan.mjs',
    args: ['index'],
    env: {
      ...{ RPC_URL: rpcUrl, CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'peers', DATA_DIR: dir },
      ...{ LOG_FORMAT: 'json', LOG_LEVEL: 'info', METRICS_PORT: String(await freePort()), TRACES: 'off' },
    },
    onLine: (line) => {
      if (line.includes('"history_complete"')) isDone = true;
    },
  });
  await waitFor(() => isDone, 600_000, 'the history is complete');
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = groupCpuSeconds(child.pid ?? 0) + cpuSeconds(engine.pid()) - engineBefore;
  await stop(child);
  await engine.stop();
  return { seconds, cpuSeconds: cpu, bytes: folderBytes(dir) };
}

/** Ponder stores all blocks and all ERC-20 transfers, in its embedded PostgreSQL. */
async function runPonder(): Promise<Run> {
  const dir = installPeer('ponder');
  const port = await freePort();
  const args = ['start', '--schema', 'peers', '--port', String(port)];
  const child = startPeer(dir, join(dir, 'node_modules/.bin/ponder'), args, { PONDER_RPC_URL: rpcUrl });
  const startedAt = performance.now();
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor(isReady, 1_800_000, 'Ponder is ready');
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = groupCpuSeconds(child.pid ?? 0);
  await stop(child);
  return { seconds, cpuSeconds: cpu, bytes: folderBytes(join(dir, '.ponder')) };
}

/** SQD stores blocks, transactions and logs in PostgreSQL, with four indexes. */
async function runSqd(): Promise<Run> {
  const dir = installPeer('sqd');
  const sql = new pg.Client(values.postgres);
  await sql.connect();
  await sql.query('DROP SCHEMA IF EXISTS squid_processor CASCADE; DROP TABLE IF EXISTS block, transaction, log');
  await sql.query(readFileSync(join(dir, 'schema.sql'), 'utf8'));
  const serverBefore = programCpuSeconds('postgres');
  const startedAt = performance.now();
  const env = { RPC_URL: rpcUrl, DB_URL: values.postgres, PROMETHEUS_PORT: '0' };
  const child = startPeer(dir, process.execPath, ['processor.cjs'], env);
  let [ownCpu, isEnded] = [0, false];
  child.once('exit', () => (isEnded = true));
  while (!isEnded) {
    ownCpu = Math.max(ownCpu, groupCpuSeconds(child.pid ?? 0));
    await pause(50);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = ownCpu + programCpuSeconds('postgres') - serverBefore;
  const { rows } =
    await sql.query(`SELECT count(*)::int AS blocks, (SELECT count(*)::int FROM transaction) AS transactions,
    pg_total_relation_size('block') + pg_total_relation_size('transaction') + pg_total_relation_size('log') AS bytes FROM block`);
  await sql.end();
  const [stored] = rows;
  if (stored?.['blocks'] !== blocks + 1 || stored?.['transactions'] !== transactions)
    throw new Error(
      `the indexer SQD stored ${stored?.['blocks']} of ${blocks + 1} blocks and ${stored?.['transactions']} of ${transactions} transactions`,
    );
  return { seconds, cpuSeconds: cpu, bytes: Number(stored['bytes']) };
}

/** Copies and installs the project of a peer. @returns its folder */
function installPeer(name: string): string {
  const dir = scratch();
  cpSync(join(import.meta.dirname, name), dir, { recursive: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: dir, stdio: 'ignore' });
  return dir;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([ended, pause(20_000)]);
}

/** Starts a peer as a separate process group, which ends with the bench. */
function startPeer(cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, END_BLOCK: String(blocks) },
    stdio: 'ignore',
    detached: true,
  });
  process.once('exit', () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // all processes of the group have ended
    }
  });
  return child;
}
