/**
 * Compares the time of a call to the node with a call through the proxy of the API and through the edge. Also measures
 * the memory of the edge per WebSocket client.
 * `npm run bench -- edge [--calls 3000] [--idle 10000] [--active 1000] [--heads 30]`
 */
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { known } from '#runtime/known.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';
import { report, scratch } from '../measure/report.ts';
import { residentMegabytes } from '../measure/statistics.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '3000' },
    idle: { type: 'string', default: '10000' },
    active: { type: 'string', default: '1000' },
    heads: { type: 'string', default: '30' },
  },
});
const dir = scratch();
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 60 })]);
const [port, edgePort] = [await freePort(), await freePort()];
const env = {
  RPC_URL: chain.anvil.rpc.url,
  RPC_WS_URL: chain.anvil.rpc.url.replace('http', 'ws'),
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
const wayBy = (name: string, origin: string, path: string) => ({
  name,
  path,
  pool: new Pool(origin),
  times: [] as number[],
});
const ways = [
  wayBy('node', chain.anvil.rpc.url, '/'),
  wayBy('edge', `http://127.0.0.1:${edgePort}`, '/'),
  wayBy('proxy', `http://127.0.0.1:${port}`, '/api/rpc'),
];
const headers = { 'content-type': 'application/json' };
for (let i = -200; i < Number(values.calls); i++) {
  for (const { path, pool, times } of ways) {
    const startedAt = performance.now();
    const reply = await pool.request({ method: 'POST', path, body, headers });
    await reply.body.text();
    if (i >= 0) times.push(performance.now() - startedAt);
  }
}
for (const { name, times } of ways) report(`eth_getBlockByNumber by ${name}`, 'ms', times);

const memory = () => residentMegabytes(known(edge.pid, 'the process of the edge'));
report('edge without clients', 'MB', memory());
const sockets: WebSocket[] = [];
const open = async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${edgePort}`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  sockets.push(socket);
  return socket;
};
for (let i = 0; i < Number(values.idle); i += 100) await Promise.all(Array.from({ length: 100 }, open));
report(`edge with ${sockets.length} idle clients`, 'MB', memory());
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
  await waitFor(async () => arrivals.length >= wanted, 10_000, 'all active clients receive the head');
}
report(`edge with ${sockets.length} clients, ${values.active} of them active`, 'MB', memory());
report('from the request to mine a block to its head at each active client', 'ms', arrivals);
for (const socket of sockets) socket.terminate();
for (const child of children) child.kill('SIGTERM');
await Promise.all(ways.map(({ pool }) => pool.destroy()));
await Promise.all([chain.stop(), engine.stop()]);
process.exit(0);
