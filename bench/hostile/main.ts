/**
 * Attacks a service with enforced rate limits, while a client with an API key continues its requests.
 * `npm run bench -- hostile [--minutes 60] [--only flood,bodies]`
 * Exits with 1 if a process of the service ended or a request of that client was rejected.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Wallet } from 'ethers';
import { request } from 'undici';
import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { openDatabase } from '#sql/open-database.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startPipeline } from '#test/helpers/service.ts';
import { mintKey } from '../measure/mint-key.ts';
import { report, scratch } from '../measure/report.ts';
import { quantile, residentMegabytes } from '../measure/statistics.ts';
import { attacks } from './attack.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, only: { type: 'string', default: attacks.join() } },
});
const phases = attacks.filter((attack) => values.only.split(',').includes(attack));
const phaseMs = (Number(values.minutes) * 60_000) / (phases.length + 1);
const dir = scratch();
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 300, seed: 7 })]);
const location = { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'hostile' };
const database = await openDatabase(location, { log: silentLog, waitMs: 60_000 });
const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
await pipeline.caughtUp(headReader(chain), 120_000);
const [port, edgePort] = await Promise.all([freePort(), freePort()]);
const origin = `http://127.0.0.1:${port}`;
const env = {
  CLICKHOUSE_URL: engine.url,
  CLICKHOUSE_DATABASE: 'hostile',
  RPC_URL: chain.rpc.url,
  LOG_LEVEL: 'fatal',
  RPC_WS_URL: chain.rpc.url.replace('http', 'ws'),
  DATA_DIR: join(dir, 'api'),
  RATE_LIMITS: 'enforce',
  TRUSTED_PROXY_HOPS: '1',
  PORT: String(port),
  EDGE_PORT: String(edgePort),
  RATE_KEYED: '60000',
  RATE_NETWORK: '60000',
};
const processes = { api: spawnCordscan(['api'], env), edge: spawnCordscan(['edge'], env) };
const ended: string[] = [];
for (const [name, child] of Object.entries(processes))
  child.once('exit', (code) => ended.push(`${name} exited: ${code}`));
const isUp = async (url: string) => (await request(url).catch(() => undefined))?.statusCode === 200;
await waitFor(
  async () => (await isUp(`${origin}/healthz`)) && isUp(`http://127.0.0.1:${edgePort}/healthz`),
  90_000,
  'API and edge are up',
);

/** Address of the client that must always be served. No attacker is in its network. */
const address = { 'x-forwarded-for': '198.51.100.7' };
const key = await mintKey(origin, Wallet.createRandom(), address);
const account = getFirst(chain.world.accounts);
const paths = [
  '/stats',
  `/accounts/${account}/transactions?limit=50`,
  '/stats/charts/newTxns?resolution=hour',
  '/strings?limit=20',
];
let refused = 0;

async function keyedCaller(ms: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  for (let i = 0; performance.now() < until; i++) {
    const at = performance.now();
    const reply = await request(`${origin}/api/v1${paths[i % paths.length]}`, {
      headers: { ...address, 'x-api-key': key },
    });
    await reply.body.dump();
    if (reply.statusCode !== 200) refused++;
    times.push(performance.now() - at);
    await pause(20);
  }
  return times;
}

async function withMemory<T>(work: Promise<T>): Promise<[T, string]> {
  const seen = Object.entries(processes).map(([name, { pid }]) => ({
    name,
    pid: known(pid, name),
    at: [] as number[],
  }));
  const look = () => {
    for (const { pid, at } of seen) at.push(residentMegabytes(pid));
  };
  look();
  const quarters = setInterval(look, phaseMs / 4);
  const result = await work;
  clearInterval(quarters);
  if (getFirst(seen).at.length < 5) look();
  return [result, seen.map(({ name, at }) => `${name} ${at.join(' ')} MB`).join(', ')];
}

await keyedCaller(Math.min(5_000, phaseMs));
const [quiet, memoryAtRest] = await withMemory(keyedCaller(phaseMs));
report('idle', 'ms', quiet);
console.log(memoryAtRest);
for (const attack of phases) {
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'), [attack, origin, `127.0.0.1:${edgePort}`], {
    execArgv: ['--import', 'tsx'],
  });
  const told = new Promise<unknown>((resolve) => attacker.once('message', resolve));
  await pause(Math.min(2_000, phaseMs / 4));
  const [times, memory] = await withMemory(keyedCaller(phaseMs));
  attacker.send('stop');
  const counts = await Promise.race([told, pause(5_000)]);
  attacker.kill('SIGKILL');
  const times99 = quantile(times, 0.99) / quantile(quiet, 0.99);
  report(attack, 'ms', times);
  report(`${attack}, p99`, 'times the idle p99', times99);
  console.log(memory, JSON.stringify(counts ?? {}));
}
const [after, memoryAfter] = await withMemory(keyedCaller(phaseMs / 2));
report('idle again', 'ms', after);
console.log(memoryAfter);
report('processes that exited', 'count', ended.length);
report('rejected requests with a key', 'count', refused);
const isSound = ended.length === 0 && refused === 0; // check before the processes are stopped
for (const child of Object.values(processes)) child.kill('SIGTERM');
await pipeline.stop();
await database.close();
await chain.stop();
await engine.stop();
process.exit(isSound ? 0 : 1);
