import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { request } from 'undici';
import { LabelMapReply } from '#api/routes/registry/list-labels.ts';
import { canonicalId, parseCanonicalId } from '#registry/entity-id.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { hostile, type RegistryChain, type Row, startRegistryChain } from '#test/helpers/registry-chain.ts';
import { chainId } from '#test/helpers/service.ts';

let chain: RegistryChain;

test.before(async () => {
  chain = await startRegistryChain(71);
});

test.after.always(async () => {
  await chain?.indexed.stop();
});

test.serial('4.7 the registry lists every indexed entity once when there is no manifest', async (t) => {
  const { body: stats } = await chain.get('/registry/stats');
  t.like(stats, { total: chain.wallets.length + chain.contracts.length, provenance: null, invariant: { holds: true } });
  t.like(stats.counts, { wallet: chain.wallets.length, contract: chain.contracts.length, asset: 0, cord: 0 });
  const listed = await chain.walk('', 37);
  t.deepEqual(
    listed.map((row) => row.address),
    [...chain.wallets, ...chain.contracts],
  );
  t.deepEqual(new Set(listed.map((row) => row.id)).size, listed.length);
  t.is((await chain.get('/registry/manifest')).status, 404);
  const { body: labels } = await chain.get('/registry/labels');
  t.like(labels, { count: 0, labels: {}, manifest: null });
  const [wallet, contract] = [chain.wallets[3]!, chain.contracts[2]!];
  for (const [kind, address] of [
    ['wallet', wallet],
    ['contract', contract],
  ] as const) {
    const id = canonicalId({ kind, chainId, address });
    t.deepEqual(parseCanonicalId(id), { kind, chainId, address });
    t.like((await chain.get(`/registry/entity/${id}`)).body, { id, kind, address, source: 'index', label: null });
  }
  for (const id of [
    toId('nobody'),
    canonicalId({ kind: 'wallet', chainId, address: `0x${'12'.repeat(20)}` }),
    canonicalId({ kind: 'contract', chainId, address: wallet }),
    canonicalId({ kind: 'wallet', chainId: 1, address: wallet }),
  ])
    t.like(await chain.get(`/registry/entity/${id}`), { status: 404, body: { code: 'entity_not_found' } });
  for (const id of ['exchangeDeposits', 'exchangeWithdrawals']) {
    const { body } = await chain.get(`/stats/charts/${id}`);
    t.true(body.points.length > 0 && body.points.every(({ value }: { value: unknown }) => value === null), id);
  }
});

test.serial(
  '4.7 an imported manifest agrees with the chain in counts, strings, labels, entities and accounts',
  async (t) => {
    const entities = chain.entities;
    const manifest = toManifest(entities);
    const { sha256 } = toDocument(manifest);
    t.like(await chain.put(manifest, sha256.toUpperCase()), { outcome: 'imported', sha256, entities: entities.length });
    t.is((await chain.put(manifest)).outcome, 'unchanged');
    const { body: stats } = await chain.get('/registry/stats');
    const known = { wallet: 7, contract: 3 };
    t.deepEqual(stats.inBoth, known);
    t.deepEqual(stats.manifestCounts, manifest.counts);
    t.is(stats.counts.wallet, chain.wallets.length + 1);
    t.is(stats.counts.contract, chain.contracts.length);
    t.is(stats.invariant.expected, entities.length + chain.wallets.length + chain.contracts.length - 10);
    t.true(stats.invariant.holds);
    t.like(stats.provenance, {
      sha256: `0x${sha256}`,
      asOf: '2026-11-20T10:00:00Z',
      stale: false,
      source: 'file test.json',
    });
    for (const [query, limit] of [
      ['', 7],
      ['', 200],
      ['kind=wallet', 5],
      ['kind=contract', 2],
      ['kind=cord', 2],
    ] as const) {
      const rows = await chain.walk(query, limit);
      const kind = query.split('=')[1];
      t.is(rows.length, kind ? stats.counts[kind] : stats.total, query);
      t.is(new Set(rows.map((row) => row.id)).size, rows.length);
      t.true(rows.every((row) => !kind || row.kind === kind));
      t.deepEqual(
        rows
          .filter((row) => row.source === 'manifest')
          .map((row) => row.label)
          .sort(),
        entities
          .filter((one) => !kind || one.kind === kind)
          .map((one) => one.label)
          .sort(),
      );
    }
    const { body: map } = await chain.get('/registry/labels');
    t.true(LabelMapReply.safeParse(map).success);
    t.deepEqual(
      map.labels,
      Object.fromEntries(
        manifest.entities.map((one: Row) => [
          one.id,
          { label: one.label, kind: one.kind, address: one.address ?? null, category: one.category ?? null },
        ]),
      ),
    );
    t.is(Object.keys((await chain.get('/registry/labels?kind=wallet')).body.labels).length, 8);
    t.like(await chain.get('/registry/labels?kind=robot'), { status: 400, body: { code: 'invalid_kind' } });
    const organization = await chain.get(`/registry/entity/${toId('organization Harbour Exchange')}`);
    t.like(organization.body, { memberCount: 7, kind: 'organization', url: 'https://example.org/' });
    const canonical = canonicalId({ kind: 'wallet', chainId, address: chain.wallets[2]! });
    t.like((await chain.get(`/registry/entity/${canonical}`)).body, {
      label: 'Harbour hot wallet 2',
      source: 'manifest',
    });
    const { body: account } = await chain.get(`/accounts/${chain.wallets[0]}`);
    t.deepEqual(
      account.labels.map((one: Row) => [one.label, one.kind, one.category]),
      [
        ['Harbour hot wallet 0', 'wallet', 'exchange'],
        ['did:cord:one', 'did', null],
      ],
    );
  },
);

test.serial('4.7 hostile names are plain data everywhere', async (t) => {
  t.deepEqual((await chain.get(`/accounts/0x${'99'.repeat(20)}`)).body.labels, []);
  for (const [i, label] of hostile.entries()) {
    const { body } = await chain.get(`/registry/entity/${toId(`cord ${label}`)}`);
    t.like(body, { label, category: label, description: label, attributes: { [label]: label } });
    t.is((await chain.get(`/accounts/0x${String(i).repeat(40)}`)).body.labels[0].label, label);
  }
  const { body: found } = await chain.get(`/search?q=${encodeURIComponent(hostile[1]!)}`);
  t.like(found.items[0], { type: 'entity', label: hostile[1], match: 'exact' });
  const byName = (await chain.get('/search?q=harbour')).body.items;
  t.is(byName.filter((one: Row) => one.type === 'entity').length, 8);
  t.is((await chain.get(`/search?q=${toId('did did:cord:one')}`)).body.items[0].label, 'did:cord:one');
});

test.serial('4.7 the mirror returns bytes and hash of the manifest, valid by the published schema', async (t) => {
  const reply = await request(`${chain.indexed.api.origin}/api/v1/registry/manifest?format=raw`);
  const text = await reply.body.text();
  t.is(createHash('sha256').update(text).digest('hex'), String(reply.headers['x-manifest-sha256']));
  const { body: mirror } = await chain.get('/registry/manifest');
  t.deepEqual(mirror.manifest, JSON.parse(text));
  t.is(mirror.provenance.sha256, `0x${reply.headers['x-manifest-sha256']}`);
  const { body: schema } = await chain.get('/registry/manifest/schema');
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  t.true(validate(mirror.manifest), JSON.stringify(validate.errors));
  t.false(validate({ ...mirror.manifest, canon: '1' }));
  t.false(validate({ ...mirror.manifest, entities: [{ kind: 'robot' }] }));
});

test.serial('4.7 labels are the same with gzip and plain, and 304 until the manifest changes', async (t) => {
  const url = `${chain.indexed.api.origin}/api/v1/registry/labels`;
  const plain = await request(url);
  const gzipped = await request(url, { headers: { 'accept-encoding': 'gzip' } });
  t.is(gzipped.headers['content-encoding'], 'gzip');
  t.is(gunzipSync(Buffer.from(await gzipped.body.arrayBuffer())).toString(), await plain.body.text());
  const etag = String(plain.headers.etag);
  t.is((await request(url, { headers: { 'if-none-match': etag } })).statusCode, 304);
  await chain.put(toManifest([{ kind: 'did', label: 'did:cord:two' }], {}, '2'));
  const changed = await request(url, { headers: { 'if-none-match': etag } });
  t.is(changed.statusCode, 200);
  t.is(Object.keys(((await changed.body.json()) as Row).labels).length, 1);
});

test.serial('4.7 100,000 entities are imported, counted, listed and named', async (t) => {
  const entities = Array.from({ length: 100_000 }, (_, i) => ({
    kind: 'wallet',
    label: `Deposit address ${i}`,
    address: `0x${(i + 1).toString(16).padStart(40, '0')}`,
    category: 'exchange',
  }));
  t.is((await chain.put(toManifest(entities, {}, 'large'))).entities, 100_000);
  const { body: stats } = await chain.get('/registry/stats');
  t.is(stats.counts.wallet, 100_000 + chain.wallets.length);
  t.true(stats.invariant.holds);
  const { body: labels } = await chain.get('/registry/labels');
  t.is(labels.count, 100_000);
  t.is(labels.labels[toId('wallet Deposit address 777')].label, 'Deposit address 777');
  t.is(
    (await chain.get(`/accounts/0x${(500).toString(16).padStart(40, '0')}`)).body.labels[0].label,
    'Deposit address 499',
  );
  t.is((await chain.get('/search?q=deposit%20address%2099999')).body.items[0].match, 'exact');
  const sql =
    'SELECT toString(count()) AS n FROM registry_labels FINAL WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents)';
  const { database } = chain.indexed.pipeline.deps;
  const [row] = await database.read<{ n: string }>({ ...resolveStatement('chain_state'), sql });
  t.is(row!.n, '100000');
});
