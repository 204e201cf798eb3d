/**
 * Registers a large address set, and measures how soon clients receive events of its addresses.
 * `npm run bench -- deposits [--members 1000000] [--polls 300] [--heads 100]`
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { known } from '#runtime/known.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';
import { report, scratch } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    polls: { type: 'string', default: '300' },
    heads: { type: 'string', default: '100' },
  },
});
const dir = scratch();
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 200 })]);
const port = await freePort();
const env = {
  RPC_URL: chain.anvil.rpc.url,
  RPC_WS_URL: chain.anvil.rpc.url.replace('http', 'ws'),
  CLICKHOUSE_URL: engine.url,
  PORT: String(port),
  ADDRESS_SET_LIMIT: '1000000',
};
const children = [spawnCordscan(['index'], env), spawnCordscan(['api'], env)];
const base = `http://127.0.0.1:${port}/api/v1`;
const get = async (path: string) => {
  const reply = await request(base + path);
  if (reply.statusCode !== 200) throw new Error(`${path}: HTTP status ${reply.statusCode} ${await reply.body.text()}`);
  return reply.body.json() as Promise<Record<string, never>>;
};
const isAtHead = async () => ((await get('/status').catch(() => ({}))) as { lagBlocks?: number }).lagBlocks === 0;
await waitFor(isAtHead, 60_000, 'the service is at the head');

const members = Array.from(
  { length: Number(values.members) },
  (_, i) => `0x${(i * 7919).toString(16).padStart(40, '0')}`,
);
members.push(...chain.world.accounts.slice(0, 5));
members.splice(0, 5);
const body = gzipSync(members.join('\n'));
const startedAt = performance.now();
const made = await request(`${base}/address-sets`, { method: 'POST', headers: { 'content-encoding': 'gzip' }, body });
const { id } = (await made.body.json()) as { id: string };
report(`set of ${members.length} created`, 'ms', performance.now() - startedAt);

const requestPage = (cursor: string) =>
  get(`/address-sets/${id}/transfers?limit=1000&minConfirmations=0${cursor && `&cursor=${cursor}`}`);
const [idle, busy]: [number[], number[]] = [[], []];
let reply = (await requestPage('')) as unknown as { nextCursor: string; items: unknown[] };
const poll = async (times: number[]) => {
  const at = performance.now();
  reply = (await requestPage(reply.nextCursor)) as unknown as typeof reply;
  times.push(performance.now() - at);
};
for (let i = 0; i < Number(values.polls); i++) await poll(idle);
for (let i = 0; i < Number(values.polls) / 10; i++) {
  await chain.mineLive(1);
  await waitFor(isAtHead, 10_000, 'the block is indexed');
  await poll(busy);
}
report('poll without news', 'ms', idle);
report('poll with a new block', 'ms', busy);

const announced = new Map<number, number>();
const socket = new WebSocket(env.RPC_WS_URL);
await new Promise((resolve) => socket.once('open', resolve));
socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
socket.on('message', (data) =>
  announced.set(Number(JSON.parse(data.toString()).params?.result?.number), performance.now()),
);
for (const path of ['/stream/heads', `/stream/address-sets/${id}`]) {
  const delays: number[] = [];
  const reader = await EventReader.open(base + path);
  for (let i = 0; i < Number(values.heads); i++) {
    const wanted = Number(await chain.rpc.call('eth_blockNumber', [])) + 1;
    await chain.mineLive(1);
    const isThere = () => reader.events.some(({ data }) => data.number === wanted);
    await waitFor(isThere, 10_000, `the event of block ${wanted}`);
    delays.push(performance.now() - known(announced.get(wanted), 'the head of the node'));
  }
  reader.close();
  report(`newHeads of the node to the event of ${path.replace(id, '{id}')}`, 'ms', delays);
}
socket.terminate();
for (const child of children) child.kill('SIGTERM');
await Promise.all([chain.stop(), engine.stop()]);
process.exit(0);
