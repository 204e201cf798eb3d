/**
 * Measures how long each page of a running service takes, and how many bytes the first load of the home page transfers.
 * `npm run bench -- pages [--origin http://127.0.0.1:3000] [--requests 200] [--settle 90]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { known } from '#runtime/known.ts';
import { openService } from '../measure/open-service.ts';
import { report } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    origin: { type: 'string' },
    settle: { type: 'string', default: '90' },
    requests: { type: 'string', default: '200' },
  },
});
const service = await openService(values.origin, Number(values.settle));
const { origin } = service;
const headers = { accept: 'text/html', 'accept-encoding': 'br' };
const warmUp = 10;

async function items<T>(path: string): Promise<T[]> {
  const { body } = await request(`${origin}/api/v1${path}`);
  return ((await body.json()) as { items: T[] }).items;
}

async function load(path: string): Promise<{ bytes: number; ms: number; body: Buffer }> {
  const startedAt = performance.now();
  const reply = await request(origin + path, { headers });
  const body = Buffer.from(await reply.body.arrayBuffer());
  if (reply.statusCode !== 200) throw new Error(`${path}: HTTP status ${reply.statusCode}`);
  return { bytes: body.length, ms: performance.now() - startedAt, body };
}

const transactions = (
  await items<{ txHash: string; from: string; blockNumber: number }>('/transactions?limit=200')
).slice(50);
const tokens = await items<{ address: string }>('/tokens?type=erc20&limit=5');
const nfts = await items<{ address: string }>('/tokens?type=erc721&limit=5');
const charts = (await items<{ id: string; subject: string | null }>('/stats/charts')).filter(
  ({ subject }) => subject === null,
);
const any = <T>(list: readonly T[], at: number) => known(list[at % list.length], 'anything of this kind');
const pages: readonly [string, (n: number) => string][] = [
  ['/', () => '/'],
  ['/blocks', () => '/blocks'],
  ['/block/{id}', (n) => `/block/${any(transactions, n).blockNumber}`],
  ['/txs', () => '/txs'],
  ['/tx/{hash}', (n) => `/tx/${any(transactions, n).txHash}`],
  ['/tx/{hash}?tab=logs', (n) => `/tx/${any(transactions, n).txHash}?tab=logs`],
  ['/address/{a}', (n) => `/address/${any(transactions, n).from}`],
  ['/address/{a}?tab=transfers', (n) => `/address/${any(transactions, n).from}?tab=transfers`],
  ['/address/{a}?tab=tokens', (n) => `/address/${any(transactions, n).from}?tab=tokens`],
  ['/address/{a}?tab=nfts', (n) => `/address/${any(transactions, n).from}?tab=nfts`],
  ['/accounts', () => '/accounts'],
  ['/tokens', () => '/tokens'],
  ['/token/{a}', (n) => `/token/${any(tokens, n).address}`],
  ['/token/{a}?tab=holders', (n) => `/token/${any(tokens, n).address}?tab=holders`],
  ['/nft/{a}', (n) => `/nft/${any(nfts, n).address}`],
  ['/charts', () => '/charts'],
  ['/charts/{type}', (n) => `/charts/${any(charts, n).id}`],
  ['/validators', () => '/validators'],
  ['/status', () => '/status'],
  ['/search', (n) => `/search?q=${any(['USD', 'cord', 'anch', 'badge'], n)}`],
  ['/docs', () => '/docs'],
];

for (const [name, path] of pages) report(name, 'ms', await timesOf(path));

async function timesOf(path: (n: number) => string) {
  for (let n = 0; n < warmUp; n++) await load(path(n));
  const times: number[] = [];
  for (let n = 0; n < Number(values.requests); n++) times.push((await load(path(n))).ms);
  return times;
}
const home = await load('/');
const plain = await (await request(`${origin}/`)).body.text();
const assets = [...plain.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
const sizes = await Promise.all([...new Set(assets)].map(async (path) => [path, (await load(path)).bytes] as const));
const total = sizes.reduce((sum, [, bytes]) => sum + bytes, home.bytes);
report('first load of the home page', 'bytes', total);
await service.stop();
process.exit(0);
