/**
 * What proxy and edge add to a call, and what the edge needs for its WebSocket clients:
 * `npm run bench -- edge [--calls 3000] [--idle 10000] [--active 1000] [--heads 30]`. Every process is its own.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';
import { provenance, summary } from '../measure/statistics.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '3000' },
    idle: { type: 'string', default: '10000' },
    active: { type: 'string', default: '1000' },
    heads: { type: 'string', default: '30' },
  },
});
console.log(provenance());
const dir = await mkdtemp(join(tmpdir(), 'cordscan-edge-'));
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 60 })]);
const [port, edgePort] = [await freePort(), await freePort()];
const env = {
  RPC_URL: chain.rpc.url,
  RPC_WS_URL: chain.rpc.url.replace('http', 'ws'),
  CLICKHOUSE_URL: engine.url,
  PORT: String(port),
  EDGE_PORT: String(edgePort),
};
const edge = spawnCordscan(['edge'], env);
const children = [spawnCordscan(['index'], env), spawnCordscan(['api'], env), edge];
const isUp = async (url: string) => (await fetch(url).catch(() => undefined))?.status === 200;
await waitFor(() => isUp(`http://127.0.0.1:${port}/healthz`), 60_000, 'the API is up');
await waitFor(() => isUp(`http://127.0.0.1:${edgePort}/healthz`), 60_000, 'the edge is up');

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x20",false]}';
const ways = {
  node: new Pool(chain.rpc.url),
  edge: new Pool(`http://127.0.0.1:${edgePort}`),
  proxy: new Pool(`http://127.0.0.1:${port}`),
};
const paths = { node: '/', edge: '/', proxy: '/api/rpc' };
const times: Record<string, number[]> = { node: [], edge: [], proxy: [] };
for (let i = -200; i < Number(values.calls); i++) {
  for (const [name, pool] of Object.entries(ways)) {
    const startedAt = performance.now();
    const reply = await pool.request({
      method: 'POST',
      path: paths[name as keyof typeof paths],
      body,
      headers: { 'content-type': 'application/json' },
    });
    await reply.body.text();
    if (i >= 0) times[name]!.push(performance.now() - startedAt);
  }
}
for (const [name, list] of Object.entries(times)) console.log(`eth_getBlockByNumber by ${name}, ms`, summary(list));

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${edge.pid}/status`, 'utf8'))![1]) / 1024;
console.log(`edge without clients: ${memory().toFixed(0)} MB`);
const sockets: WebSocket[] = [];
const open = async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${edgePort}`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  sockets.push(socket);
  return socket;
};
for (let i = 0; i < Number(values.idle); i += 100) await Promise.all(Array.from({ length: 100 }, open));
console.log(`edge with ${sockets.length} idle clients: ${memory().toFixed(0)} MB`);
const arrivals: number[] = [];
let minedAt = 0;
for (let i = 0; i < Number(values.active); i++) {
  const socket = await open();
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
  socket.on('message', (data) => {
    if (String(data).includes('eth_subscription')) arrivals.push(performance.now() - minedAt);
  });
}
await new Promise((resolve) => setTimeout(resolve, 500));
for (let i = 0; i < Number(values.heads); i++) {
  const wanted = arrivals.length + Number(values.active);
  minedAt = performance.now();
  await chain.mineLive(1);
  await waitFor(async () => arrivals.length >= wanted, 10_000, 'all active clients hear of the head');
}
console.log(`edge with ${sockets.length} clients, ${values.active} of them active: ${memory().toFixed(0)} MB`);
console.log('order to mine a block to its head at each active client, ms', summary(arrivals));
for (const socket of sockets) socket.terminate();
for (const child of children) child.kill('SIGTERM');
await Promise.all(Object.values(ways).map((pool) => pool.destroy()));
await Promise.all([chain.stop(), engine.stop()]);
await rm(dir, { recursive: true, force: true });
process.exit(0);
