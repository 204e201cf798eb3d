/**
 * Writes api/http/example-replies.json: example replies of a dev chain for the API docs.
 * Usage: node --import tsx scripts/capture-replies.ts http://127.0.0.1:3000
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyRoute } from '../api/http/define-route.ts';
import { routes } from '../api/routes/index.ts';

const usualOrigin = 'http://127.0.0.1:3000';
const [origin = usualOrigin] = process.argv.slice(2);
const maxItems = 2;
const maxTextLength = 700;

// biome-ignore lint/suspicious/noExplicitAny: replies of any route
type Reply = any;

async function read(path: string, body?: unknown): Promise<Reply> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const reply = await fetch(origin + path, init);
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

function shorten(value: Reply): Reply {
  if (Array.isArray(value)) return (typeof value[0] === 'object' ? value.slice(0, maxItems) : value).map(shorten);
  if (typeof value === 'string')
    return (/^0x[0-9a-f]+$/.test(value) ? value.slice(0, maxTextLength) : value).replaceAll(origin, usualOrigin);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]));
}

async function examplePaths(): Promise<Map<string, string>> {
  const document = await read('/api/v1/openapi.json');
  const entries = Object.entries<Reply>(document.paths).flatMap(([path, { get }]) => {
    const filled = (get?.parameters ?? []).reduce(
      (text: string, { name, in: place, example }: Reply) =>
        place === 'path' ? text.replace(`{${name}}`, example) : text,
      path,
    );
    return get ? [[get.operationId, filled] as [string, string]] : [];
  });
  return new Map(entries);
}

async function readDeposits(): Promise<Record<string, Reply>> {
  const { items: transactions } = await read('/api/v1/transactions?status=1&minValue=1&limit=50&order=asc');
  const { from, to } = transactions.find((one: Reply) => one.to !== null && one.from !== one.to);
  const postAddressSet = await read('/api/v1/address-sets', { addresses: [to, from] });
  const set = `/api/v1/address-sets/${postAddressSet.id}`;
  const listSetTransfers = await read(`${set}/transfers`);
  const deposit = listSetTransfers.items.find((one: Reply) => one.kind === 'native' && one.from !== one.to);
  const getVerdict = await read(`/api/v1/deposits/verdict?tx=${deposit.txHash}&to=${deposit.to}&minValue=1`);
  return { postAddressSet, getAddressSet: await read(set), listSetTransfers, getVerdict };
}

async function readExport(): Promise<string> {
  const { items } = await read('/api/v1/strings?minTx=1&to=1000&limit=200');
  const { number } = items.find((block: Reply) => block.transactionCount <= maxItems);
  const reply = await fetch(`${origin}/api/v1/export/transactions?fromBlock=${number}&toBlock=${number}`);
  return reply.text();
}

const isShown = ({ methods, access = 'public', mediaTypes = ['application/json'], path, base }: AnyRoute) =>
  methods.length === 1 &&
  methods[0] === 'get' &&
  access === 'public' &&
  mediaTypes.includes('application/json') &&
  base !== '' &&
  !/withdrawals|address-sets|verdict|self-check|manifest|:id/.test(path.replace('/strings/:id', ''));

const paths = await examplePaths();
const replies: Record<string, Reply> = {};
for (const route of routes.filter(isShown)) {
  const query = route.example.split('?')[1];
  const path = paths.get(route.id) ?? '';
  replies[route.id] = shorten(await read(`${path}${query ? `?${query}` : ''}`));
}
for (const [id, reply] of Object.entries(await readDeposits())) replies[id] = shorten(reply);
replies['exportRows'] = await readExport();
const file = join(import.meta.dirname, '..', 'api', 'http', 'example-replies.json');
writeFileSync(file, `${JSON.stringify(Object.fromEntries(Object.entries(replies).sort()), null, 1)}\n`);
console.log(`${Object.keys(replies).length} replies`);
