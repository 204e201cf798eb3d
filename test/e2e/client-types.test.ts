/** Three tasks of API users, written with the generated types only: `npm run check:types` fails if one needs a cast. */
import test from 'ava';
import type { z } from 'zod';
import { exportKinds } from '#api/read/export/kinds.ts';
import { streamAddressSet, streamHeads } from '#api/routes/deposits/streams.ts';
import { ExportLine, ExportRow } from '#api/routes/export/export-line.ts';
import type { components, operations, paths } from '#client/openapi.gen.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';

type Schemas = components['schemas'];

/** Paths with a GET operation whose reply can be JSON. */
type ReadPath = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'application/json': object } } } } }
    ? P
    : never;
}[keyof paths];
type Get<P extends ReadPath> = paths[P]['get'];
type Parameters<P extends ReadPath, In extends 'path' | 'query'> =
  Get<P> extends { parameters: infer All } ? (All extends { [K in In]?: infer One } ? NonNullable<One> : never) : never;
type Reply<P extends ReadPath> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer R } } } } ? R : never;

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 8 });
});

test.after.always(async () => {
  await indexed?.stop();
});

/** Calls one path with typed parameters and returns the typed reply. */
async function read<P extends ReadPath>(
  path: P,
  parameters: { path?: Parameters<P, 'path'>; query?: Parameters<P, 'query'> } = {},
): Promise<Reply<P>> {
  const filled = Object.entries<string>(parameters.path ?? {}).reduce(
    (text: string, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = Object.entries<unknown>(parameters.query ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const { body } = await indexed.api.get(`${filled}?${new URLSearchParams(query)}`);
  return body;
}

test('points of a chart are numbers with a Unix time', async (t) => {
  const { points, resolution } = await read('/api/v1/stats/charts/{chart_type}', {
    path: { chart_type: 'newTxns' },
    query: { resolution: 'hour' },
  });
  const series: [number, number][] = points.flatMap(({ timestamp, value }) =>
    value === null ? [] : [[timestamp * 1_000, Number(value)]],
  );
  t.is(resolution, 'hour');
  t.true(series.length > 0 && series.every(([time, value]) => time > 0 && value >= 0));
  const { transactions } = await read('/api/v1/stats');
  const count: number = transactions;
  t.is(
    series.reduce((sum, [, value]) => sum + value, 0),
    count,
  );
});

test('list of transactions is read to its end with the cursor', async (t) => {
  const found: Schemas['Transaction'][] = [];
  let cursor: string | null = null;
  do {
    const page: Reply<'/api/v1/transactions'> = await read('/api/v1/transactions', {
      query: { limit: 200, ...(cursor === null ? {} : { cursor }) },
    });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const { rows } = await read('/api/v1/export/{kind}/certificate', { path: { kind: 'transactions' } });
  const { finalized } = await read('/api/v1/status');
  t.is(found.filter(({ blockNumber }) => blockNumber <= finalized).length, rows);
});

test('deposits of an address are listed with exact amounts', async (t) => {
  const { accounts } = indexed.chain.world;
  const set: operations['postAddressSet']['responses'][201]['content']['application/json'] = (
    await indexed.api.get('/api/v1/address-sets', { method: 'POST', body: JSON.stringify({ addresses: accounts }) })
  ).body;
  const deposits = async () =>
    (await read('/api/v1/address-sets/{id}/transfers', { path: { id: set.id }, query: { limit: 200 } })).items;
  await waitFor(async () => (await deposits()).length > 0, 30_000, 'deposits are listed');
  const amounts: bigint[] = (await deposits()).map(({ value }) => BigInt(value));
  t.true(amounts.every((amount) => amount >= 0n));
  const [first] = await deposits();
  const verdict = await read('/api/v1/deposits/verdict', { query: { tx: first?.txHash ?? '', to: first?.to ?? '' } });
  const credited: bigint = verdict.verdict === 'creditable' && verdict.value !== null ? BigInt(verdict.value) : 0n;
  t.true(credited >= 0n);
});

test('lines of an export match their documented schema', async (t) => {
  const { from, token } = indexed.transfers.find((transfer) => !/^0x0+$/.test(transfer.from))!;
  const filters = { transactions: from, transfers: from, logs: token, anchors: undefined };
  for (const kind of exportKinds)
    for (const query of ['', ...(filters[kind] ? [`?address=${filters[kind]}`] : [])]) {
      const { body } = await indexed.api.get(`/api/v1/export/${kind}${query}`);
      const lines = String(body).trim().split('\n');
      t.true(lines.length > 1, kind + query);
      for (const line of lines.slice(0, -1)) t.notThrows(() => ExportRow[kind].parse(JSON.parse(line)), line);
      const last: Schemas['ExportLine'] = JSON.parse(lines.at(-1)!);
      t.notThrows(() => ExportLine.parse(last));
      t.is('certificate' in last ? last.certificate.rows : undefined, lines.length - 1);
    }
});

test('events of streams match their documented schema', async (t) => {
  const { body: set } = await indexed.api.get('/api/v1/address-sets', {
    method: 'POST',
    body: JSON.stringify({ addresses: indexed.chain.world.accounts }),
  });
  for (const [path, route, names] of [
    ['heads', streamHeads, ['anchor.added']],
    [`address-sets/${set.id}`, streamAddressSet, ['anchor.added', 'transfer.seen', 'transfer.creditable']],
  ] as const) {
    const reader = await EventReader.open(`${indexed.api.origin}/api/v1/stream/${path}`, '0');
    const has = (name: string) => reader.events.some((event) => event.name === name);
    await waitFor(async () => names.every(has), 30_000, `events of ${path}`);
    reader.close();
    const schema = route.item?.['text/event-stream; charset=utf-8'] as z.ZodObject;
    for (const { name, data } of reader.events) t.notThrows(() => schema.partial().parse({ [name]: data }), name);
  }
});
