/**
 * Measures mirrors of the complete service, whose dev chain mines a block per second: rows per second of the first copy,
 * and the time from a block in the node to its rows in the copy. Then kills `cordscan mirror` at random moments and
 * compares the copy with the service's certificates.
 * `npm run bench -- mirror [--targets parquet,clickhouse,postgres] [--blocks 30] [--kills 20] [--seed 1] [--origin http://127.0.0.1:3000]`
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { Cordscan } from '#client/index.ts';
import { openTarget } from '#commands/mirror.ts';
import { Random } from '#devchain/random.ts';
import { followChain } from '#mirror/follow.ts';
import { type Target, tableOrder } from '#mirror/target.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { startPostgres } from '#test/helpers/postgres.ts';
import { runCordscan, spawnCordscan, startEngine } from '#test/helpers/processes.ts';
import { openService } from '../measure/open-service.ts';
import { report, scratch } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: 'parquet,clickhouse,postgres' },
    blocks: { type: 'string', default: '30' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    origin: { type: 'string' },
  },
});
/**
 * Time between two requests for the newest block, ms. Measured times can be too short by this time plus the time of a
 * request.
 */
const pollMs = 20;
/** Time of a mirror process between its start and its kill, ms. It needs 400 ms to start. */
const [minLifeMs, maxLifeMs] = [400, 4_000];

const random = new Random(Number(values.seed));
const service = await openService(values.origin, 0);
const { origin } = service;
const closers: (() => Promise<unknown>)[] = [];
const targets: Readonly<Record<string, () => Promise<(name: string) => Promise<string>>>> = {
  parquet: async () => {
    const folder = scratch();
    return async (name) => join(folder, name);
  },
  clickhouse: openClickHouse,
  postgres: openPostgres,
};
for (const name of values.targets.split(',')) await measure(name, await (targets[name] ?? fail(name))());
for (const close of closers) await close();
await service.stop();
process.exit(0);

async function measure(name: string, place: (copy: string) => Promise<string>): Promise<void> {
  await measureSpeed(name, await place('speed'));
  await measureKills(name, await place('kills'));
}

async function measureSpeed(name: string, to: string): Promise<void> {
  const target = await openTarget(to, silentLog);
  const cordscan = new Cordscan(origin);
  const startedAt = performance.now();
  await followChain(cordscan, target, {
    follows: false,
    signal: new AbortController().signal,
    onChange: () => undefined,
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  report(`${name}: first copy`, 'rows/s', (await countRows(target)) / seconds);
  report(`${name}: time from a block in the node to its rows in the copy`, 'ms', await measureLag(cordscan, target));
  await target.close();
}

async function countRows(target: Target): Promise<number> {
  const { tables } = await target.sum(Number.MAX_SAFE_INTEGER);
  return tableOrder.reduce((rows, kind) => rows + tables[kind].rows, 0);
}

/** Returns one time per new block, ms. */
async function measureLag(cordscan: Cordscan, target: Target): Promise<number[]> {
  const most = Number(values.blocks);
  const ended = new AbortController();
  const minedAt = new Map<number, number>();
  const lags: number[] = [];
  const watched = watchNode(minedAt, ended.signal);
  const timed: Target = Object.assign(Object.create(target) as Target, {
    position: () => target.position(),
    add: async (range: Parameters<Target['add']>[0]) => {
      await target.add(range);
      const mined = minedAt.get(range.toBlock);
      if (mined !== undefined) lags.push(performance.now() - mined);
      if (lags.length >= most) ended.abort();
    },
    remove: (fromBlock: number) => target.remove(fromBlock),
  });
  const follow = { follows: true, signal: ended.signal, onChange: () => undefined };
  await Promise.all([followChain(cordscan, timed, follow), watched]);
  return lags;
}

/** Records when the node has each block. */
async function watchNode(minedAt: Map<number, number>, signal: AbortSignal): Promise<void> {
  let last = await readNodeHead();
  while (!signal.aborted) {
    const head = await readNodeHead();
    for (let number = last + 1; number <= head; number++) minedAt.set(number, performance.now());
    last = head;
    await pause(pollMs, signal);
  }
}

async function readNodeHead(): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const headers = { 'content-type': 'application/json' };
  const reply = await request(`${origin}/api/rpc`, { method: 'POST', headers, body });
  return Number(((await reply.body.json()) as { result: string }).result);
}

/**
 * Kills mirrors of one copy one after the other. The last one ends by itself. @throws Error if the copy then differs
 * from the service
 */
async function measureKills(name: string, to: string): Promise<void> {
  const kills = Number(values.kills);
  const command = ['mirror', '--to', to, '--url', origin];
  for (let i = 0; i < kills; i++) {
    const child = spawnCordscan(command, {});
    for (const stream of [child.stdout, child.stderr]) stream?.resume();
    await pause(random.between(minLifeMs, maxLifeMs));
    if (child.exitCode !== null) throw new Error(`${name}: the mirror ended by itself with code ${child.exitCode}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const mode of ['--once', '--check']) {
    const { code, output } = await runCordscan([...command, mode], {});
    if (code !== 0) throw new Error(`${name}: cordscan mirror ${mode} after ${kills} kills: code ${code}\n${output}`);
    if (mode === '--check') console.error(output);
  }
  report(`${name}: kills after which the copy has the digests of the service`, 'kills', kills);
}

async function openClickHouse() {
  const { url, headers, stop } = await startEngine(scratch());
  closers.push(stop);
  return async (copy: string) => {
    const body = `CREATE DATABASE ${copy}`;
    await request(url, { method: 'POST', headers, body }).then(({ body: reply }) => reply.text());
    return `${url.replace('http:', 'clickhouse:')}/${copy}`;
  };
}

async function openPostgres() {
  const { url, stop } = await startPostgres();
  closers.push(stop);
  return async (copy: string) => `${url}&schema=${copy}`;
}

function fail(name: string): never {
  throw new Error(`--targets: ${name} is not one of ${Object.keys(targets).join(', ')}`);
}
