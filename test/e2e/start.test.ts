/**
 * `cordscan start` without configuration: it starts everything, answers with real data, stops on SIGTERM, and restarts
 * on the same data.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Wallet } from 'ethers';
import { WebSocket } from 'ws';
import { freePort, scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;

const ports = async () => {
  const names = ['PORT', 'EDGE_PORT', 'DEVCHAIN_PORT', 'METRICS_PORT', 'CLICKHOUSE_PORT'] as const;
  const free = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const));
  return Object.fromEntries(free) as Record<(typeof names)[number], string>;
};

function spawnOnTerminal(env: Record<string, string>): ChildProcess {
  const command = `stty cols 150 rows 40; exec ${process.execPath} ${join(import.meta.dirname, '../../bin/cordscan.mjs')} start --blocks 60`;
  return spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, ...env },
  });
}

test('start, stop and start work over the data of a dev chain that is gone, and keep what clients made', async (t) => {
  const dataDir = await scratchFolder('cordscan-start');
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  let made: Made | undefined;
  for (const run of [1, 2]) {
    const own = await ports();
    const env = { ...own, DATA_DIR: dataDir, RPC_URL: '', CLICKHOUSE_URL: '', LOG_LEVEL: 'info', LOG_FORMAT: '' };
    const child = run === 1 ? spawnCordscan(['start', '--blocks', '60'], env) : spawnOnTerminal(env);
    t.teardown(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const url = `http://127.0.0.1:${own.PORT}`;
    const reply = (path: string) => fetch(url + path, { headers: { connection: 'close' } }).catch(() => undefined);
    await waitFor(
      async () => (await reply('/healthz'))?.status === 200,
      120_000,
      () => `start ${run}: ${output}`,
    );
    const head = async () => {
      const status = (await (await reply('/api/v1/status'))?.json()) as { head: number } | undefined;
      return status?.head ?? 0;
    };
    const first = await head();
    await waitFor(async () => (await head()) > Math.max(first, 60), 120_000, `start ${run} follows the head`);
    const get = async (path: string): Promise<Row> => (await reply(`/api/v1${path}`))?.json();
    await showsEverything(t, get);
    if (run === 1) await passesOn(t, `127.0.0.1:${own.DEVCHAIN_PORT}`, url);
    await tellsMetrics(t, `http://127.0.0.1:${own.METRICS_PORT}`, Number(own.DEVCHAIN_PORT));
    if (made) await keeps(t, url, made);
    else made = await make(url);
    if (run === 1) child.kill('SIGTERM');
    else child.stdin?.write('\x03');
    t.is(await ended, 0, output);
    if (run === 1) logsNoWarning(t, output);
    else showsProgress(t, output, url);
  }
});

interface Made {
  readonly setId: string;
  readonly key: string;
}

async function make(url: string): Promise<Made> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Row> => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    };
    return (await fetch(`${url}/api/v1${path}`, init)).json();
  };
  const wallet = Wallet.createRandom();
  const { message } = await post('/auth/nonce', { address: wallet.address });
  const { accessToken } = await post('/auth/sign-in', { message, signature: await wallet.signMessage(message) });
  const { key } = await post('/keys', { name: 'kept' }, { authorization: `Bearer ${accessToken}` });
  return { key, setId: (await post('/address-sets', { addresses: [wallet.address] })).id };
}

/** Asserts that the API key and the address set are valid on the new chain. */
async function keeps(t: ExecutionContext, url: string, { key, setId }: Made): Promise<void> {
  const get = (path: string, headers = {}) => fetch(`${url}/api/v1${path}`, { headers });
  t.is((await get('/keys/verify', { 'x-api-key': key })).status, 200);
  t.is((await get(`/address-sets/${setId}/transfers`)).status, 200);
}

/** Asserts that a first start writes only JSON, below warning level. */
function logsNoWarning(t: ExecutionContext, output: string): void {
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(
    lines.filter(({ level, msg }) => level >= 40 || !msg),
    [],
  );
  t.true(lines.some(({ event }) => event === 'start_ready'));
}

function showsProgress(t: ExecutionContext, output: string, url: string): void {
  t.regex(output, /› chain +\[#*\.*\] \d+ of 60 blocks, \d+ per second, \d+ s left/);
  t.regex(output, /✓ chain .*replaced the earlier one; API keys, address sets and venues remain/);
  t.regex(output, /✓ index .*history is complete, follows the chain/);
  t.true(output.includes(`ready: open ${url}`), output);
  t.notRegex(output, /"event"|INFO|WARN/);
}

/** Asserts that price, markets, supply, registry, validators, agents and directory have data. */
async function showsEverything(t: ExecutionContext, get: (path: string) => Promise<Row>): Promise<void> {
  const seen = async (path: string, isThere: (body: Row) => boolean) => {
    let body: Row;
    const look = async () => {
      body = await get(path);
      return isThere(body ?? {}) === true;
    };
    await waitFor(look, 120_000, `${path} shows it`).catch((error) => {
      throw new Error(`${(error as Error).message}, it is ${JSON.stringify(body).slice(0, 2_000)}`);
    });
    return body;
  };
  const price = await seen('/nativefat/price', ({ price: told }) => typeof told === 'string');
  t.true(price.pools.length >= 2);
  const { venues } = await seen('/markets', (body) => typeof body.centralised?.vwapMid === 'string');
  t.like(venues[0], { venue: 'Dev Exchange', pair: 'FAT/USDT', adapter: 'binance', lastFault: null });
  const venue = await get(`/markets/${venues[0].id}`);
  t.is(venue.book.bids.length, 50);
  t.true(Number(venue.mid) / Number(price.price) < 1.2 && Number(venue.mid) / Number(price.price) > 0.8);
  const { migration } = await seen('/supply/reconciliation', (body) =>
    /^(holds|burns_pending)$/.test(body.migration?.state),
  );
  t.true(BigInt(migration.totalMigrated.wei) > 0n, 'a burn may be ahead of an index that lags');
  const stats = await seen('/registry/stats', ({ total }) => total > 1_626);
  t.true(stats.invariant.holds);
  const validators = await seen('/validators', ({ schedule }) => schedule === 'round-robin');
  t.is(validators.items.filter((one: Row) => one.status === 'active').length, 4);
  t.true(validators.items.some((one: Row) => one.missed > 0));
  for (const path of ['/ai-agents', '/testimonies', '/tokenized/assets', '/ecosystem/directory'])
    await seen(path, ({ items }) => items?.length > 0);
  t.true((await get('/gas/oracle')).window.transactions > 0);
  const config = await seen('/network/config', ({ tokens }) => tokens?.length > 0);
  t.is(config.chainId, '0x425d4');
}

/** Asserts that the dev node answers x_* and forwards everything else, subscriptions included. */
async function passesOn(t: ExecutionContext, node: string, api: string): Promise<void> {
  const ask = async (body: string, url = `http://${node}/`) => {
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return reply.text();
  };
  const call = (method: string, params: unknown[], id: unknown = 7) => ({ jsonrpc: '2.0', id, method, params });
  const said = async (method: string, params: unknown[] = []) =>
    JSON.parse(await ask(JSON.stringify(call(method, params)))) as Row;
  t.is((await said('x_getValidators')).result.validators.length, 4);
  t.is((await said('x_getAgents')).result.filter(({ status }: Row) => status === 'retired').length, 1);
  const testimonies = (await said('x_getTestimonies', ['0x0', '0x20'])).result;
  t.true(testimonies.length > 5 && testimonies.every((one: Row) => Number(one.blockNumber) <= 32));
  t.is((await said('x_getTestimonies', ['one'])).error.code, -32602);
  t.is((await said('x_unknown')).error.code, -32601, 'anvil itself refuses what neither knows');
  const block = '{"jsonrpc":"2.0","id":9007199254740993123,"method":"eth_getBlockByNumber","params":["0x1",true]}';
  const plain = await ask(block);
  t.regex(plain, /"id":9007199254740993123\b/);
  const batch = JSON.parse(
    await ask(`[${JSON.stringify(call('x_getValidators', [], 'a'))},${JSON.stringify(call('eth_chainId', [], 'b'))}]`),
  ) as Row[];
  const byId = new Map(batch.map((one) => [one.id, one.result]));
  t.is(byId.get('b'), '0x425d4');
  t.is((byId.get('a') as Row).validators.length, 4);
  t.regex(await ask('{"method":"x_', undefined), /error/);
  const proxied = JSON.parse(await ask(JSON.stringify(call('x_getValidators', [])), `${api}/api/rpc`)) as Row;
  t.is(proxied.result.schedule, 'round-robin', 'the proxy of the API takes x_* too');
  const socket = new WebSocket(`ws://${node}/`);
  const told = new Promise<Row>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(call('eth_subscribe', ['newHeads']))));
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Row;
      if (message.method === 'eth_subscription') resolve(message.params.result);
    });
    socket.on('error', reject);
  });
  t.true(Number((await told).number) > 60);
  socket.close();
}

async function tellsMetrics(t: ExecutionContext, pipeline: string, devchainPort: number): Promise<void> {
  await waitFor(async () => (await fetch(`${pipeline}/readyz`)).status === 200, 60_000, 'the pipeline is ready');
  const metrics = await (await fetch(`${pipeline}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^cordscan_${name} (.*)$`, 'm').exec(metrics)?.[1]);
  t.is(figure('pipeline_backfill_done_blocks'), figure('pipeline_backfill_total_blocks'));
  t.true(figure('inserted_rows_total{table="transactions",final="1"}') > 0, metrics);
  t.true(figure('insert_duration_seconds_count{table="blocks"}') > 0);
  t.is(figure('source_ok{source="registry_manifest"}'), 1);
  t.regex(metrics, new RegExp(`rpc_requests_total{endpoint="0",host="127.0.0.1:${devchainPort}",outcome="ok"} [1-9]`));
  t.is((await fetch(`${pipeline}/nothing`)).status, 404);
}
