/**
 * Measures the import of a registry file (names of wallets and contracts), and replies of the API that use it.
 * `npm run bench -- registry [--entities 100000] [--requests 1000] [--only labels]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { silentLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { freePort, spawnCordscan, startEngine, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';
import { report, scratch } from '../measure/report.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const [size, requests] = [Number(values.entities), Number(values.requests)];
const dir = scratch();
const [engine, chain] = await Promise.all([startEngine(dir), startDevChain({ blocks: 200 })]);
const port = await freePort();
const env = { RPC_URL: chain.anvil.rpc.url, CLICKHOUSE_URL: engine.url, PORT: String(port), LOG_LEVEL: 'fatal' };
const children = [spawnCordscan(['index'], env), spawnCordscan(['api'], env)];
const base = `http://127.0.0.1:${port}/api/v1`;
const isAtHead = async () => {
  const reply = await request(`${base}/status`).catch(() => undefined);
  return ((await reply?.body.json()) as { lagBlocks?: number } | undefined)?.lagBlocks === 0;
};
await waitFor(isAtHead, 120_000, 'the service is at the head');

const database = await openDatabase(
  { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: 'cordscan' },
  { log: silentLog, waitMs: 60_000 },
);
const getAddress = (i: number) => `0x${(i + 1).toString(16).padStart(40, '0')}`;
const manifest = toManifest(
  Array.from({ length: size }, (_, i) => ({
    kind: 'wallet',
    label: `Deposit ${i}`,
    address: getAddress(i),
    category: 'exchange',
  })),
);
const document = toDocument(manifest);
const importedAt = performance.now();
await importManifest({ database }, document, { chainId: 271_828 });
report(
  `import of ${size} entities, ${Math.round(document.bytes.length / 1e6)} MB`,
  'ms',
  performance.now() - importedAt,
);

async function ask(path: string, headers: Record<string, string> = {}, wanted = 200): Promise<number> {
  const reply = await request(base + path, { headers });
  const bytes = (await reply.body.arrayBuffer()).byteLength;
  if (reply.statusCode !== wanted) throw new Error(`${path}: HTTP status ${reply.statusCode}, expected ${wanted}`);
  return bytes;
}

async function measure(name: string, one: (i: number) => Promise<number>, n = requests): Promise<void> {
  if (!name.startsWith(values.only)) return;
  for (let i = 0; i < 10; i++) await one(i);
  const times: number[] = [];
  for (let i = 0; i < n; i++) {
    const startedAt = performance.now();
    await one(i);
    times.push(performance.now() - startedAt);
  }
  report(name, 'ms', times);
}

const gzip = { 'accept-encoding': 'gzip' };
const coldAt = performance.now();
const bytes = await ask('/registry/labels', gzip);
report('labels, first request after an import', 'ms', performance.now() - coldAt);
report('labels, gzip', 'MB', bytes / 1e6);
const { etag } = (await request(`${base}/registry/labels`, { headers: gzip, method: 'HEAD' })).headers;
await measure('labels, gzip', () => ask('/registry/labels', gzip));
await measure('labels, 304', () => ask('/registry/labels', { ...gzip, 'if-none-match': String(etag) }, 304));
await measure('entity', (i) => ask(`/registry/entity/${toId(`wallet Deposit ${(i * 7919) % size}`)}`));
await measure('strings, page of 50', (i) => ask(`/registry/strings?limit=50&kind=wallet&${i}`));
await measure('account with label', (i) => ask(`/accounts/${getAddress((i * 7919) % size)}`));
await measure(
  'search by name',
  (i) => ask(`/search?q=${encodeURIComponent(`deposit ${(i * 7919) % size}`)}`),
  Math.min(requests, 200),
);
await measure('stats', (i) => ask(`/registry/stats?${i}`));

for (const child of children) child.kill('SIGTERM');
await database.close();
await chain.stop();
await engine.stop();
process.exit(0);
