/**
 * Measures the time from the node's message about a new block until replies of the API contain a transaction of the
 * block.
 * `npm run bench -- head [--heads 200]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { Miner } from '#devchain/miner.ts';
import { known } from '#runtime/known.ts';
import { pause } from '#runtime/shutdown.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';
import { report, scratch } from '../measure/report.ts';

const { values } = parseArgs({ options: { heads: { type: 'string', default: '200' } } });
const dir = scratch();
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 200 })]);
const port = await freePort();
const env = {
  RPC_URL: chain.anvil.rpc.url,
  RPC_WS_URL: chain.anvil.rpc.url.replace('http', 'ws'),
  CLICKHOUSE_URL: engine.url,
  PORT: String(port),
};
const children = [spawnCordscan(['index'], env), spawnCordscan(['api'], env)];
const get = async (path: string) =>
  (await request(`http://127.0.0.1:${port}${path}`)).body.json() as Promise<Record<string, never>>;
await waitFor(
  async () => ((await get('/api/v1/status').catch(() => ({}))) as { lagBlocks?: number }).lagBlocks === 0,
  60_000,
  'the service is at the head',
);

const account = (i: number) => known(chain.world.accounts[i], `account ${i}`);
const [from, to] = [account(7), account(8)];
const announced = new Map<number, (at: number) => void>();
const socket = new WebSocket(env.RPC_WS_URL);
await new Promise((resolve) => socket.once('open', resolve));
socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
socket.on('message', (data) => {
  const number = Number(JSON.parse(data.toString()).params?.result?.number);
  announced.get(number)?.(performance.now());
});
const miner = new Miner(chain.rpc, 271828);
const [rest, compatible]: [number[], number[]] = [[], []];
for (let i = 0; i < Number(values.heads); i++) {
  const number = Number(await chain.rpc.call('eth_blockNumber', [])) + 1;
  const head = new Promise<number>((resolve) => announced.set(number, resolve));
  const traffic = Array.from({ length: 12 }, (_, n) => ({
    from: account(n + 10),
    to,
    value: 1n,
    gas: 21_000,
  }));
  await miner.mine([{ from, to, value: 1n, gas: 21_000 }, ...traffic], Math.floor(Date.now() / 1000) + i);
  const at = await head;
  const isCompatible = i % 2 === 1;
  const path = isCompatible
    ? `/api?module=account&action=txlist&address=${from}&page=1&offset=1&sort=desc`
    : `/api/v1/accounts/${from}/transactions?limit=1`;
  for (;;) {
    const body = (await get(path)) as { transactions?: { blockNumber: number }[]; result?: { blockNumber: string }[] };
    if (Number(body.transactions?.[0]?.blockNumber ?? body.result?.[0]?.blockNumber) >= number) break;
  }
  (isCompatible ? compatible : rest).push(performance.now() - at);
  await pause(150 + Math.random() * 200);
}
report('from new head to /accounts/{address}/transactions', 'ms', rest);
report('from new head to /api txlist', 'ms', compatible);
socket.close();
for (const child of children) child.kill('SIGTERM');
await chain.stop();
await engine.stop();
process.exit(0);
