/**
 * Measures readers of the explorer and the API while the chain grows: the entire service with its dev chain, a block
 * per second, and 32 readers of pages, lists, charts and accounts on the same cores.
 * `npm run bench -- readers [--readers 32] [--seconds 30] [--settle 90] [--origin http://127.0.0.1:3000]`
 */
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { Random } from '#devchain/random.ts';
import { groupBy } from '#runtime/lists.ts';
import { openService } from '../measure/open-service.ts';
import { readItems } from '../measure/read-items.ts';
import { report } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '30' },
    settle: { type: 'string', default: '90' },
    origin: { type: 'string' },
  },
});
const [readers, seconds] = [Number(values.readers), Number(values.seconds)];
const service = await openService(values.origin, Number(values.settle));
const { origin } = service;
const kinds = await listPaths();
const pool = new Pool(origin, { connections: readers });
const all: { readonly kind: string; readonly ms: number }[] = [];
const end = performance.now() + seconds * 1_000;
await Promise.all(Array.from({ length: readers }, (_, reader) => read(new Random(reader + 1))));
report(`${readers} readers`, 'replies/s', all.length / seconds);
report(
  `${readers} readers, reply`,
  'ms',
  all.map(({ ms }) => ms),
);
for (const [kind, list] of groupBy(all, (one) => one.kind))
  report(
    kind,
    'ms',
    list.map(({ ms }) => ms),
  );
await pool.close();
await service.stop();
process.exit(0);

async function read(random: Random): Promise<void> {
  while (performance.now() < end) {
    const kind = random.pick(Object.keys(kinds));
    const path = random.pick(kinds[kind] ?? []);
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      headers: { accept: 'text/html, application/json' },
    });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${path}: HTTP status ${statusCode}`);
    all.push({ kind, ms: performance.now() - startedAt });
  }
}

async function listPaths(): Promise<Readonly<Record<string, readonly string[]>>> {
  const items = <T>(path: string) => readItems<T>(origin, path);
  const transactions = await items<{ txHash: string; from: string; blockNumber: number }>('/transactions?limit=200');
  const tokens = await items<{ address: string }>('/tokens?type=erc20&limit=5');
  const charts = (await items<{ id: string; subject: string | null }>('/stats/charts')).filter(
    ({ subject }) => subject === null,
  );
  const accounts = [...new Set(transactions.map(({ from }) => from))];
  return {
    'page: home': ['/'],
    'page: transactions': ['/txs'],
    'page: transaction': transactions.map(({ txHash }) => `/tx/${txHash}`),
    'page: account': accounts.map((address) => `/address/${address}`),
    'page: token': tokens.map(({ address }) => `/token/${address}`),
    'page: chart': charts.map(({ id }) => `/charts/${id}`),
    'API: stats': ['/api/v1/stats'],
    'API: newest transactions': ['/api/v1/transactions?limit=50'],
    'API: account': accounts.map((address) => `/api/v1/accounts/${address}`),
    'API: history': accounts.map((address) => `/api/v1/accounts/${address}/transactions?limit=50`),
    'API: transfers': tokens.map(({ address }) => `/api/v1/tokens/${address}/transfers?limit=50`),
    'API: txlist': accounts.map(
      (address) => `/api?module=account&action=txlist&address=${address}&page=1&offset=50&sort=desc`,
    ),
    'API: chart': charts.map(({ id }) => `/api/v1/stats/charts/${id}?resolution=day`),
  };
}
