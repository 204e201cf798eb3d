import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import PQueue from 'p-queue';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { refreshSources } from '#pipeline/sources/refresh-sources.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { silentLog } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { refusedDocuments, startDocumentServer } from '#test/helpers/document-server.ts';
import { sends } from '#test/helpers/feed-server.ts';
import { dripping } from '#test/helpers/hostile-feeds.ts';
import { type LooseManifest, toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { runCordscan, scratchFolder, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { type RegistryChain, startRegistryChain, waitForSourceCache } from '#test/helpers/registry-chain.ts';
import { chainId, startApi } from '#test/helpers/service.ts';

let chain: RegistryChain;
let dir: string;

test.before(async () => {
  chain = await startRegistryChain(72);
  dir = await scratchFolder('cordscan-registry');
});

test.after.always(async () => {
  await chain?.indexed.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

const getEnvironment = (database: string) => ({
  ...{ CLICKHOUSE_URL: chain.indexed.engine.url, CLICKHOUSE_DATABASE: database },
  RPC_URL: chain.indexed.chain.rpc.url,
});

test.serial('4.7 an invalid manifest is rejected with its problems and changes nothing', async (t) => {
  const good = chain.entities;
  const twice = [...good, { ...good[0] }];
  const cases: [LooseManifest, RegExp, string?][] = [
    [toManifest(good), /SHA-256 is [0-9a-f]{64}, expected 00/, '00'.repeat(32)],
    ['{', /not valid JSON/],
    [toManifest(good, { canon: '1.1' }), /canon: must be "1.2"/],
    [toManifest(good, { chainId: 1 }), /this chain is 271828/],
    [toManifest(good, { extra: 1 }), /the document: .*extra/],
    [toManifest([...good, { kind: 'robot', label: 'x' }]), /entities\.\d+\.kind: must be one of wallet/],
    [toManifest([...good, { kind: 'wallet', label: 'x' }]), /address: required for a wallet/],
    [toManifest([...good, { kind: 'did', label: '' }]), /label: must not be empty/],
    [toManifest([...good, { kind: 'did', label: '\ud800' }]), /surrogate/],
    [toManifest([...good, { kind: 'did', label: 'x', url: 'javascript:alert(1)' }]), /url: must be an http/],
    [toManifest([...good, { kind: 'did', label: 'x', parent: toId('nobody') }]), /parent: 0x[0-9a-f]{64} is not in/],
    [toManifest([...good, { kind: 'wallet', label: 'x', address: chain.wallets[0] }]), /two entities for wallet/],
    [
      toManifest([
        ...good,
        {
          kind: 'wallet',
          label: 'x',
          address: chain.wallets[9],
          id: canonicalId({ kind: 'wallet', chainId, address: chain.wallets[8]! }),
        },
      ]),
      /canonical id of another address or kind/,
    ],
    [toManifest(twice), /occurs twice/],
    [{ ...toManifest(good), counts: { ...toManifest(good).counts, did: 9 } }, /counts\.did: is 9, but 1 are listed/],
  ];
  for (const [manifest, wrong, sha256] of cases) {
    const error = await t.throwsAsync(chain.put(manifest, sha256), { name: 'ManifestError' });
    t.regex(error!.message, wrong);
  }
  const broken = { ...toDocument(''), bytes: Buffer.from('7b22ff227d', 'hex') };
  const { deps } = chain.indexed.pipeline;
  await t.throwsAsync(importManifest(deps, broken, { chainId }), { message: /not valid UTF-8/ });
  t.is((await chain.get('/registry/stats')).body.provenance, null);
});

test.serial('4.7 a newer manifest removes missing entities and ends walks through the older one', async (t) => {
  await chain.put(toManifest(chain.entities));
  const page = (await chain.get('/registry/strings?limit=3')).body;
  await chain.put(toManifest(chain.entities.slice(0, 3), {}, '3'));
  t.like(await chain.get(`/registry/strings?limit=3&cursor=${page.nextCursor}`), {
    status: 409,
    body: { code: 'snapshot_invalidated' },
  });
  t.is((await chain.get(`/registry/entity/${toId('did did:cord:one')}`)).status, 404);
  t.deepEqual((await chain.get(`/accounts/0x${'1'.repeat(40)}`)).body.labels, []);
  t.is((await chain.get('/registry/stats')).body.manifestCounts.wallet, 2);
  t.is((await chain.get('/search?q=did:cord')).body.items.length, 0);
});

test.serial('4.7 an import interrupted at any write stays invisible, and the next one repairs it', async (t) => {
  const before = (await chain.get('/registry/labels')).body;
  const { total } = (await chain.get('/registry/stats')).body;
  const next = toManifest([...chain.entities, { kind: 'did', label: 'did:cord:three' }], {}, '4');
  for (const table of ['registry_entities', 'source_documents']) {
    const database = new Proxy(chain.indexed.pipeline.deps.database, {
      get: (target, name) =>
        name === 'insertRowBinary'
          ? async (into: string, rows: Uint8Array) => {
              if (into !== table) return target.insertRowBinary(into, rows);
              if (table === 'registry_entities') await target.insertRowBinary(into, rows);
              throw new Error('killed here');
            }
          : Reflect.get(target, name).bind?.(target),
    }) as Database;
    await t.throwsAsync(importManifest({ ...chain.indexed.pipeline.deps, database }, toDocument(next), { chainId }), {
      message: 'killed here',
    });
    await waitForSourceCache();
    t.deepEqual((await chain.get('/registry/labels')).body, before);
    t.is((await chain.get('/registry/stats')).body.total, total);
    t.is((await chain.get('/search?q=did:cord:three')).body.items.length, 0);
  }
  t.is((await chain.put(next)).outcome, 'imported');
  const { body: stats } = await chain.get('/registry/stats');
  t.true(stats.invariant.holds);
  t.is((await chain.walk('', 200)).length, stats.total);
});

test.serial('4.7 readers see one manifest or the other while they alternate', async (t) => {
  const sizes = new Map<string, number>();
  const manifests = [11, 29].map((size, i) =>
    toManifest(
      Array.from({ length: size }, (_, n) => ({ kind: 'asset', label: `Asset ${n}` })),
      {},
      `turn ${i}`,
    ),
  );
  for (const manifest of manifests) sizes.set(`0x${toDocument(manifest).sha256}`, manifest.entities.length);
  await chain.put(manifests[0]);
  let isDone = false;
  const seen = new Set<number>();
  const reader = (async () => {
    while (!isDone) {
      const { body: stats } = await chain.get('/registry/stats');
      const { body: labels } = await chain.get('/registry/labels');
      t.is(stats.manifestCounts.asset, sizes.get(stats.provenance.sha256));
      t.true(stats.invariant.holds);
      t.is(labels.count, sizes.get(labels.manifest.sha256));
      seen.add(labels.count);
    }
  })();
  for (let turn = 0; turn < 6; turn++) await chain.put(manifests[turn % 2]);
  isDone = true;
  await reader;
  t.deepEqual([...seen].sort(), [11, 29]);
});

test.serial('scheduled sources report errors and keep the previous data', async (t) => {
  const [registry, directory] = [join(dir, 'manifest.json'), join(dir, 'directory.json')];
  const entries = [
    { id: 'a', name: 'Harbour', category: 'exchange', nodeRole: 'rpc' },
    { id: 'b', name: '<b>Lantern</b>', category: 'data', url: 'https://example.org/' },
    { id: 'c', name: 'Quay', category: 'exchange' },
  ];
  await writeFile(registry, JSON.stringify(toManifest(chain.entities, {}, 'by schedule')));
  await writeFile(directory, JSON.stringify({ generatedAt: '2026-11-21T00:00:00Z', entries }));
  const limits = { maxBytes: 1_000_000, timeoutMs: 1_000 };
  const settings = {
    chainId,
    sources: { registryUrl: registry, registrySha256: undefined, directoryUrl: directory, refreshMs: 1_000, limits },
  };
  const look = async () => {
    await refreshSources({ ...chain.indexed.pipeline.deps, settings, log: silentLog });
    await waitForSourceCache();
  };
  t.like((await chain.get('/ecosystem/directory')).body, { items: [], provenance: null, total: 0 });
  await look();
  t.is((await chain.get('/registry/stats')).body.provenance.version, 'by schedule');
  const first = (await chain.get('/ecosystem/directory?limit=2')).body;
  t.deepEqual(first.items, entries.slice(0, 2));
  t.deepEqual(
    (await chain.get(`/ecosystem/directory?limit=2&cursor=${first.nextCursor}`)).body.items,
    entries.slice(2),
  );
  t.is((await chain.get('/ecosystem/directory?category=exchange')).body.total, 2);
  t.like(first.provenance, {
    asOf: '2026-11-21T00:00:00Z',
    stale: false,
    fault: null,
    source: 'file directory.json',
  });
  await writeFile(registry, '{"canon":"1.2"}');
  await rm(directory);
  await look();
  const { provenance } = (await chain.get('/registry/stats')).body;
  t.is(provenance.version, 'by schedule');
  t.true(provenance.stale);
  t.regex(provenance.fault, /entities/);
  const stale = (await chain.get('/ecosystem/directory')).body;
  t.is(stale.total, 3);
  t.true(stale.provenance.stale && stale.provenance.checkedAt >= first.provenance.checkedAt);
  t.regex(stale.provenance.fault, /directory\.json can't be read/);
});

test.serial('cordscan registry import reads HTTPS with a trusted certificate, and nothing weaker', async (t) => {
  const server = await startDocumentServer(dir);
  t.teardown(() => server.stop());
  const text = JSON.stringify(toManifest(chain.entities, {}, 'by HTTPS'));
  const hash = createHash('sha256').update(text).digest('hex');
  server.paths.set('/manifest.json', sends(text));
  for (const [path, [answer]] of Object.entries(refusedDocuments(server))) server.paths.set(path, answer);
  const env = {
    ...{ ...getEnvironment('indexed'), NODE_EXTRA_CA_CERTS: server.authorityFile },
    ...{ SOURCES_MAX_BYTES: '1048576', SOURCES_TIMEOUT_SECONDS: '2' },
  };
  const importing = (path: string, more: readonly string[] = [], others: Record<string, string> = {}) =>
    runCordscan(['registry', 'import', server.url(path), ...more], { ...env, ...others });
  const { provenance: before } = (await chain.get('/registry/stats')).body;
  const runs: [string, RegExp, string[]?, Record<string, string>?][] = [
    ['/manifest.json', new RegExp(`SHA-256 is ${hash}, expected 1111`), ['--sha256', '11'.repeat(32)]],
    ['/manifest.json', /self-signed|unable to (get|verify)/i, [], { NODE_EXTRA_CA_CERTS: '' }],
    ...Object.entries(refusedDocuments(server)).map(([path, [, wrong]]): [string, RegExp] => [path, wrong]),
  ];
  const refusals = runs.map(([path, wrong, more, others]) => async () => {
    const { code, output } = await importing(path, more, others);
    t.is(code, 1, `${path}: ${output}`);
    t.regex(output, wrong, path);
  });
  await new PQueue({ concurrency: 3 }).addAll(refusals);
  const plain = await runCordscan(['registry', 'import', 'http://registry.example.org/manifest.json'], env);
  t.deepEqual([plain.code, /use https:/.test(plain.output)], [1, true]);
  t.deepEqual((await chain.get('/registry/stats')).body.provenance, before, 'nothing of all this was kept');
  const { code, output } = await importing('/manifest.json', ['--sha256', hash]);
  t.is(code, 0, output);
  const { provenance } = (await chain.get('/registry/stats')).body;
  t.like(provenance, { version: 'by HTTPS', source: server.url('/manifest.json'), sha256: `0x${hash}`, fault: null });
});

test.serial('pipeline reads REGISTRY_URL over HTTPS on schedule, and checks its hash if set', async (t) => {
  const server = await startDocumentServer(dir);
  t.teardown(() => server.stop());
  const versions = ['one', 'two', 'three'].map((version) => JSON.stringify(toManifest(chain.entities, {}, version)));
  const directory = {
    generatedAt: '2026-11-21T00:00:00Z',
    entries: [{ id: 'a', name: 'Quay', category: 'exchange' }],
  };
  server.paths.set('/manifest.json', sends(versions[0]));
  server.paths.set('/directory.json', sends(directory));
  const database = await chain.indexed.engine.open('scheduled');
  const api = await startApi(database, [chain.indexed.chain.rpc.url]);
  const child = spawnCordscan(['index'], {
    ...{ ...getEnvironment('scheduled'), NODE_EXTRA_CA_CERTS: server.authorityFile, SOURCES_REFRESH_SECONDS: '1' },
    ...{ REGISTRY_URL: server.url('/manifest.json'), ECOSYSTEM_DIRECTORY_URL: server.url('/directory.json') },
    SOURCES_TIMEOUT_SECONDS: '2',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    await api.stop();
  });
  const stats = async () => (await api.get('/api/v1/registry/stats')).body.provenance;
  await waitFor(async () => (await stats())?.version === 'one', 60_000, 'the first manifest is there');
  server.paths.set('/manifest.json', sends(versions[1]));
  await waitFor(async () => (await stats())?.version === 'two', 30_000, 'the second one takes its place');
  for (const [answer, fault] of [
    [sends('', 302, { location: server.url('/directory.json') }), /redirect/],
    [dripping, /timeout/i],
    [sends('{"canon":"1.2"}'), /invalid manifest/],
  ] as const) {
    server.paths.set('/manifest.json', answer);
    await waitFor(async () => fault.test((await stats())?.fault ?? ''), 30_000, `the fault ${fault} is said`);
    t.is((await stats()).version, 'two', 'what was there stays');
  }
  server.paths.set('/manifest.json', sends(versions[2]));
  await waitFor(
    async () => (await stats())?.version === 'three' && (await stats()).fault === null,
    20_000,
    'all is well',
  );
  const listed = (await api.get('/api/v1/ecosystem/directory')).body;
  t.like(listed, { total: 1, provenance: { source: server.url('/directory.json'), fault: null } });
});

test.serial('cordscan registry import reads a file with its hash', async (t) => {
  const path = join(dir, 'cli.json');
  const text = JSON.stringify(toManifest(chain.entities, {}, 'cli'));
  await writeFile(path, text);
  const env = getEnvironment('indexed');
  const hash = createHash('sha256').update(text).digest('hex');
  const refused = await runCordscan(['registry', 'import', path, '--sha256', '11'.repeat(32)], env);
  t.is(refused.code, 1);
  t.regex(refused.output, new RegExp(`SHA-256 is ${hash}`));
  const { code, output } = await runCordscan(['registry', 'import', path, '--sha256', hash], env);
  t.is(code, 0, output);
  t.regex(output, /"outcome":"imported"/);
  t.is((await chain.get('/registry/stats')).body.provenance.version, 'cli');
});
