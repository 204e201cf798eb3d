/** The client package against the service: its types, its README, and lists, exports and streams over a bad connection. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import {
  Cordscan,
  CordscanError,
  CoverageError,
  type components,
  ExportError,
  type ExportedRow,
  formatUnits,
  type HeadEvent,
  parseAmount,
  parseUnits,
  ReorgError,
} from '#client/index.ts';
import { exportToFile } from '#client/node.ts';
import { type CuttingProxy, startCuttingProxy } from '#test/helpers/cutting-proxy.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { scratchFolder, waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

const run = promisify(execFile);
let dir: string;
let indexed: IndexedChain;
let proxy: CuttingProxy;
let cordscan: Cordscan;

test.before(async () => {
  dir = await scratchFolder('cordscan-client');
  indexed = await startIndexedChain({ blocks: 60, seed: 8 });
  proxy = await startCuttingProxy(indexed.api.origin);
  cordscan = new Cordscan(proxy.origin, { retries: 2 });
});

test.beforeEach(() => {
  proxy.damage = () => ({});
  proxy.requests.length = 0;
});

test.after.always(async () => {
  await proxy?.stop();
  await indexed?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test.serial('tasks of the three kinds of users need no cast', async (t) => {
  const { points } = await cordscan.get('/api/v1/stats/charts/{chart_type}', {
    path: { chart_type: 'newTxns' },
    query: { resolution: 'hour' },
  });
  const series: [number, number][] = points.flatMap(({ timestamp, value }) =>
    value === null ? [] : [[timestamp * 1_000, Number(value)]],
  );
  const { transactions } = await cordscan.get('/api/v1/stats');
  const count: number = transactions;
  t.is(
    series.reduce((sum, [, value]) => sum + value, 0),
    count,
  );
  const { complete, gaps }: components['schemas']['ExportCertificate'] = await cordscan.get(
    '/api/v1/export/{kind}/certificate',
    { path: { kind: 'transactions' } },
  );
  t.deepEqual([complete, gaps], [true, []]);
  const [, recipient = ''] = indexed.chain.world.accounts;
  const { id } = await cordscan.post('/api/v1/address-sets', { body: { addresses: [recipient] } });
  const deposits = await collect(
    cordscan.items('/api/v1/address-sets/{id}/transfers', { path: { id }, query: { limit: 3 } }),
  );
  const value: bigint = deposits.reduce((sum, deposit) => sum + parseAmount(deposit.value), 0n);
  const model = indexed.blocks
    .filter(({ number }) => number <= indexed.head - 20)
    .flatMap(({ txs }) => txs)
    .filter(({ to, from, status, value }) => to === recipient && from !== recipient && status === 1 && value > 0n);
  t.is(
    value,
    model.reduce((sum, tx) => sum + tx.value, 0n),
  );
});

test.serial('list is complete over lost connections and errors that pass', async (t) => {
  const before = await collect(cordscan.items('/api/v1/transactions', { query: { order: 'asc', limit: 20 } }));
  let requests = 0;
  const damages = [{ status: 503 }, {}, { cutAfter: 700 }, { status: 502 }];
  proxy.damage = () => damages[requests++] ?? {};
  const items = await collect(cordscan.items('/api/v1/transactions', { query: { order: 'asc', limit: 20 } }));
  t.deepEqual(
    items.map(({ txHash }) => txHash),
    indexed.blocks.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
  );
  t.deepEqual(items, before);
});

test.serial('request that may have been handled is not repeated', async (t) => {
  proxy.damage = () => ({ status: 502 });
  const post = () => cordscan.post('/api/v1/address-sets', { body: { addresses: [] } });
  const error = await t.throwsAsync(post, { instanceOf: CordscanError });
  t.like(error, { status: 502, code: 'unknown' });
  t.is(proxy.requests.length, 1);
  proxy.damage = () => ({ status: 503 });
  t.like(await t.throwsAsync(post, { instanceOf: CordscanError }), { status: 503 });
  t.is(proxy.requests.length, 2);
});

test.serial('export resumes after each cut, and its rows match the certificate', async (t) => {
  const { transfers, head } = indexed;
  const finalized = (await indexed.pipeline.state())!.finalized;
  const expected = transfers
    .filter(({ block }) => block <= finalized)
    .map(({ txHash, value }) => [txHash, String(value)]);
  t.true(expected.length > 20 && finalized < head);
  const cuts = fc.sample(fc.integer({ min: 0, max: 12_000 }), { numRuns: 6, seed: 5 });
  const remaining = [...cuts];
  proxy.damage = (path) => {
    const cutAfter = path.includes('certificate') ? undefined : remaining.shift();
    return cutAfter === undefined ? {} : { cutAfter };
  };
  const path = join(dir, 'transfers.ndjson');
  const certificate = await exportToFile(cordscan, path, 'transfers', { fromTime: 0 });
  const rows = (await readFile(path, 'utf8')).trimEnd().split('\n');
  t.deepEqual(
    rows.map((line) => JSON.parse(line) as ExportedRow).map(({ txHash, value }) => [txHash, value]),
    expected,
  );
  t.like(certificate, { rows: expected.length, toBlock: finalized, complete: true });
  t.true(proxy.requests.length > 4, 'it was cut more than once');
});

test.serial('a certificate after a lost connection says too that the requested end is not final', async (t) => {
  const { finalized, head } = (await indexed.pipeline.state())!;
  const cuts = [1_000];
  proxy.damage = (path) => (path.includes('certificate') || cuts.length === 0 ? {} : { cutAfter: cuts.pop()! });
  const path = join(dir, 'unfinalized.ndjson');
  const certificate = await exportToFile(cordscan, path, 'transfers', { toBlock: head, acceptGaps: true });
  t.is(cuts.length, 0);
  t.like(certificate, { toBlock: finalized, complete: false, unfinalized: { from: finalized + 1, to: head } });
});

test.serial('export or list with a changed row or missing blocks fails', async (t) => {
  proxy.damage = (path) =>
    path.includes('certificate') ? {} : { change: (text) => text.replace(/"value":"\d/, '"value":"9') };
  const path = join(dir, 'changed.ndjson');
  await t.throwsAsync(exportToFile(cordscan, path, 'transfers'), { instanceOf: ExportError });
  await t.throwsAsync(readFile(path), { code: 'ENOENT' });
  proxy.damage = () => ({ change: (text) => text.replace('"gaps":[]', '"gaps":[{"from":3,"to":4}]') });
  await t.throwsAsync(collect(cordscan.exportRows('anchors')), { instanceOf: CoverageError, message: /blocks 3 to 4/ });
  t.is((await collect(cordscan.exportRows('anchors', { acceptGaps: true }))).length > 0, true);
  proxy.damage = () => ({ change: (text) => text.replace('"complete":true', '"complete":false') });
  await t.throwsAsync(collect(cordscan.items('/api/v1/transactions')), {
    instanceOf: CoverageError,
    message: /the index is not complete/,
  });
});

test.serial('list of internal transfers fails if the service says that blocks have no traces', async (t) => {
  const untraced = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/json');
    reply.end('{"items":[],"coverage":{"internal":false},"hasMore":false,"nextCursor":null}');
  });
  t.teardown(() => untraced.close());
  await new Promise<void>((resolve) => untraced.listen(0, '127.0.0.1', resolve));
  const client = new Cordscan(`http://127.0.0.1:${(untraced.address() as AddressInfo).port}`);
  const of = { path: { address: `0x${'5e'.repeat(20)}` } };
  await t.throwsAsync(collect(client.items('/api/v1/accounts/{address}/internal', of)), {
    instanceOf: CoverageError,
    message: /have no traces/,
  });
  t.deepEqual(await collect(client.items('/api/v1/transactions')), []);
});

test.serial('stream resumes without a lost or doubled event', async (t) => {
  let requests = 0;
  const damages = [{ cutAfter: 20 }, { cutAfter: 30 }, { cutAfter: 400 }, { status: 503 }, { cutAfter: 700 }];
  proxy.damage = () => damages[requests++] ?? {};
  const events: HeadEvent[] = [];
  const wanted = indexed.head + 4;
  const reading = (async () => {
    for await (const event of cordscan.headEvents()) {
      events.push(event);
      if (event.data.number === wanted) return;
    }
  })();
  while (proxy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await indexed.chain.mineLive(4);
  await reading;
  t.deepEqual(
    events.map(({ name, data }) => [name, data.number]),
    [1, 2, 3, 4].map((i) => ['anchor.added', indexed.head + i]),
  );
  t.true(requests > 3, 'it was cut');
});

test.serial('streams and changes wait while the service is away, and then go on', async (t) => {
  const impatient = new Cordscan(proxy.origin, { retries: 1, timeoutMs: 5_000 });
  const damages = [{ status: 503 }, { cutAfter: 0 }];
  const asked = { changes: 0, heads: 0 };
  proxy.damage = (path) => {
    const count = asked[path.includes('/heads') ? 'heads' : 'changes']++;
    return count < 6 ? damages[count % 2]! : {};
  };
  const [changes, events] = [impatient.changes(), impatient.headEvents()];
  const [change, event] = [changes.next(), events.next()];
  t.is((await change).value.fromBlock, 0);
  let name: string | undefined;
  void event.then(({ value }) => {
    name = value.name;
  });
  const mine = () => indexed.chain.mineLive(1); // blocks may arrive before the stream is open
  await waitFor(async () => mine().then(() => name !== undefined), 30_000, 'the stream goes on');
  t.is(name, 'anchor.added');
  t.true(asked.changes > 6 && asked.heads > 6);
  await Promise.all([changes.return(undefined), events.return(undefined)]);
});

test.serial('changes end when their signal fires, also if the reply ended before', async (t) => {
  const stop = new AbortController();
  const last = indexed.blocks.at(-1)!.number;
  for await (const change of cordscan.changes({ signal: stop.signal })) {
    if (change.toBlock < last) continue;
    await new Promise((resolve) => setTimeout(resolve, 300)); // the reply ends during this pause
    stop.abort();
  }
  t.true(stop.signal.aborted);
});

test.serial('reorg between two pages is an error that names the fork', async (t) => {
  const pages = cordscan.pages('/api/v1/transactions', { query: { limit: 3 } });
  await pages.next();
  const { head } = (await indexed.pipeline.state())!;
  await indexed.chain.reorg(3);
  await indexed.chain.mineLive(1);
  await indexed.pipeline.caughtUp(await headReader(indexed.chain));
  const error = await t.throwsAsync(async () => pages.next(), { instanceOf: ReorgError });
  t.is((error as ReorgError).forkBlock, head - 3);
});

test.serial('a path parameter that names another path is refused', async (t) => {
  for (const address of ['..', '.', ''])
    await t.throwsAsync(cordscan.get('/api/v1/accounts/{address}', { path: { address } }), { instanceOf: TypeError });
});

test('amounts keep all digits', (t) => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 256n), 2n ** 256n), fc.integer({ min: 0, max: 40 }), (amount, decimals) =>
      t.is(parseUnits(formatUnits(amount, decimals), decimals), amount),
    ),
  );
  t.is(formatUnits(1_500_000_000_000_000_000n), '1.5');
  t.throws(() => parseUnits('0.0000000000000000001'), { instanceOf: RangeError });
  t.throws(() => parseAmount('1.5'), { instanceOf: RangeError });
});

test.serial('packed client runs every example of its README', async (t) => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', dir], { cwd: 'client' });
  const modules = join(dir, 'node_modules/cordscan-client');
  await mkdir(modules, { recursive: true });
  await run('tar', ['-xzf', join(dir, stdout.trim()), '-C', modules, '--strip-components=1']);
  const readme = await readFile('client/README.md', 'utf8');
  const examples = [...readme.matchAll(/```js run\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  t.true(examples.length >= 5);
  for (const [i, code] of examples.entries()) {
    const file = join(dir, `example-${i}.mjs`);
    await writeFile(file, code.replaceAll('http://127.0.0.1:3000', indexed.api.origin));
    const { stdout } = await run(process.execPath, [file], { cwd: dir });
    t.regex(stdout, /\d/, `example ${i + 1} prints something`);
  }
});
