import { createConfig, lintFromString } from '@redocly/openapi-core';
import test from 'ava';
import { Wallet } from 'ethers';
import { request } from 'undici';
import { economySettings } from '#api/settings.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { sampleManifest } from '#devchain/sample-documents.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { readConfig } from '#runtime/config.ts';
import { type FeedServer, sends, startFeedServer } from '#test/helpers/feed-server.ts';
import { bearer, mintKey, signIn } from '#test/helpers/identity.ts';
import { toDocument } from '#test/helpers/manifests.ts';
import { exampleRequest, type Operation } from '#test/helpers/open-api-examples.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  adminToken,
  headReader,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;
let pipeline: RunningPipeline;
let api: RunningApi;
let feed: FeedServer;
const operator = Wallet.createRandom();

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 120 })]);
  const database = await engine.open('contract');
  pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain));
  feed = await startFeedServer();
  const { markets } = economySettings(readConfig({ FEED_HOSTS: feed.host }));
  api = await startApi(database, [chain.rpc.url], true, {
    markets,
    outbound: feed.network,
    operatorWallets: operator.address,
  });
  const manifest = sampleManifest(chain.world, 271_828, '2026-11-21T00:00:00Z');
  await importManifest(pipeline.deps, toDocument(manifest), { chainId: 271_828 });
});

test.after.always(async () => {
  await api?.stop();
  await feed?.stop();
  await pipeline?.stop();
  await chain?.stop();
  await engine?.stop();
});

test('API names bad input and what it accepts', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['/api/v1/accounts/0x12', 'address', /0x and 40 hex digits/],
    ['/api/v1/accounts/0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'address', /checksum/],
    [`/api/v1/accounts/0x${'1'.repeat(40)}/transactions?limit=0`, 'limit', /at least 1/],
    [`/api/v1/accounts/0x${'1'.repeat(40)}/transactions?limit=1e3`, 'limit', /whole number/],
    [`/api/v1/accounts/0x${'1'.repeat(40)}/transactions?from=-1`, 'from', /block number/],
    [`/api/v1/accounts/0x${'1'.repeat(40)}/transactions?role=all`, 'role', /from, to, log or internal/],
    [`/api/v1/accounts/0x${'1'.repeat(40)}/transactions?from=1&from=2`, 'from', /send this parameter once/],
    ['/api/v1/strings?page=0', 'page', /at least 1/],
    ['/api/v1/strings/0x12', 'id', /block number, a block hash/],
    ['/api/v1/strings?order=up', 'order', /asc or desc/],
    ['/api/v1/strings?miner=me', 'miner', /address/],
    ['/api/v1/transactions/abc', 'hash', /64 hex digits/],
    ['/api/v1/transactions?fromBlock=x', 'fromBlock', /block number/],
  ];
  for (const [path, parameter, accepted] of cases) {
    const { status, headers, body } = await api.get(path);
    t.is(status, 400, path);
    t.regex(headers.get('content-type') ?? '', /application\/problem\+json/);
    const fault = body.details.faults.find((each: { parameter: string }) => each.parameter === parameter);
    t.regex(fault?.message ?? '', accepted, path);
  }
  t.is((await api.get('/api/v1/strings?from=9&to=3')).body.code, 'bad_query');
  const busy = `/api/v1/accounts/${chain.world.accounts[1]}/transactions`;
  for (const [path, code, detail] of [
    [`${busy}?fromTime=2000000000&toTime=1000000000`, 'bad_query', /fromTime must not be later than toTime/],
    ['/api/v1/tokentxns?fromTime=2&toTime=1', 'bad_query', /fromTime must not be later/],
    ['/api/v1/stats/charts/newTxns?subject=zzz', 'bad_query', /chart of the whole chain: leave out subject/],
    ['/api/v1/transactions?page=51&limit=200', 'result_window_too_large', /send nextCursor of a page as cursor/],
  ] as const) {
    const { body } = await api.get(path);
    t.is(body.code, code, path);
    t.regex(body.detail, detail);
  }
  const large = (await api.get(`${busy}?limit=1000000000&to=18446744073709551615`)).body;
  t.true(large.transactions.length > 50, 'a limit above the maximum is reduced, and the range may end above the head');
  for (const part of ['', '/transactions', '/tokens', '/nfts'])
    t.like((await api.get(`/api/v1/accounts/0x${'1'.repeat(64)}${part}`)).body, {
      code: 'use_registry_entity',
      details: { entity: `/api/v1/registry/entity/0x${'1'.repeat(64)}` },
    });
  t.is((await api.get('/api/v1/nothing')).status, 404);
  t.is((await api.get('/api/v1/stats', { method: 'DELETE' })).status, 405);
  t.regex((await api.get('/api/v1/strings?limit=1&foo=1')).headers.get('warning') ?? '', /foo/);
});

test('API rejects a damaged cursor and a cursor of another query', async (t) => {
  const address = chain.world.accounts[1]!;
  const { body } = await api.get(`/api/v1/accounts/${address}/transactions?limit=2`);
  const other = await api.get(
    `/api/v1/accounts/${chain.world.accounts[2]}/transactions?limit=2&cursor=${body.nextCursor}`,
  );
  t.is(other.body.code, 'invalid_cursor');
  t.is(
    (await api.get(`/api/v1/accounts/${address}/transactions?limit=2&order=asc&cursor=${body.nextCursor}`)).body.code,
    'invalid_cursor',
  );
  t.is(
    (await api.get(`/api/v1/accounts/${address}/transactions?cursor=${body.nextCursor.slice(1)}`)).body.code,
    'invalid_cursor',
  );
  t.is(
    (await api.get(`/api/v1/accounts/${address}/transactions?limit=9&cursor=${body.nextCursor}`)).status,
    200,
    'the page size may change',
  );
});

test('API sends CORS, request ids, ETags, health and documents', async (t) => {
  const preflight = await fetch(`${api.origin}/api/v1/stats`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match,x-request-id',
    },
  });
  t.is(preflight.status, 204);
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /If-None-Match.*X-Request-Id/);
  const first = await api.get('/api/v1/strings/77', {
    headers: { 'x-request-id': 'abcdefgh-1', origin: 'https://example.org' },
  });
  t.is(first.headers.get('x-request-id'), 'abcdefgh-1');
  t.is(first.headers.get('access-control-allow-origin'), '*');
  const again = await request(`${api.origin}/api/v1/strings/77`, {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  t.is(again.statusCode, 304);
  t.is((await api.get('/healthz')).status, 200);
  t.is((await api.get('/api/v1/status')).body.status, 'ok');
  t.regex((await api.get('/docs')).body, /<h1>Cordscan API<\/h1>/);
});

test('OpenAPI document passes the linter, and every example in it works', async (t) => {
  const hasNft = async () => (await api.get('/api/v1/tokens?type=erc721')).body.items[0]?.name;
  await waitFor(async () => Boolean(await hasNft()), 30_000, 'tokens were asked for their names');
  const { body: document } = await api.get('/api/v1/openapi.json');
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'info-license': 'off',
      'no-server-example.com': 'off',
      'security-defined': 'off',
      'operation-4xx-response': 'off',
    },
  });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  t.deepEqual(
    found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  );
  const tags = document.tags.map(({ name }: { name: string }) => name);
  const token = await signIn(api, operator);
  const credentials = { ...bearer(token), 'x-api-key': (await mintKey(api, token)).key };
  const made = await ownSubjects(credentials);
  for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths)) {
    const [method, { summary, tags: own, parameters, requestBody, responses }] = Object.entries(operations)[0]!;
    t.true(summary.length <= 70 && !summary.includes('. ') && !summary.endsWith('.'), `${path}: ${summary}`);
    t.true(own.every((tag) => tags.includes(tag)));
    for (const { name, schema } of parameters)
      if (!['minValue', 'maxValue', 'tokenId'].includes(name))
        t.notRegex(schema.pattern ?? '', /^\^(\[1-9\])?\\d\{[\d,]+\}\$$/, name);
    const example = exampleRequest(path, parameters);
    const [url, query] = [made(example.url), example.query];
    if (Object.keys(Object.values(responses)[0]?.content ?? {}).some((type) => type.startsWith('text/event-stream')))
      continue;
    const body = requestBody && JSON.stringify(requestBody.content['application/json']!.example);
    if (body?.includes('"signature"') || method === 'delete') continue; // needs a signature or other prepared data
    // other tests cover them: verification, nft-metadata and statements
    if (/^\/sourcify\/v2\/contract\/|\/picture$|\/accounts\/(snapshot(\/merkle)?|changes)$/.test(path)) continue;
    const init = { method: method.toUpperCase(), headers: credentials, ...(body === undefined ? {} : { body }) };
    const { status, headers, body: reply } = await api.get(`${url}?${query}`, init);
    const wanted = Number(Object.keys(responses).find((code) => code.startsWith('2')));
    t.is(status, wanted, `${url}?${query} ${JSON.stringify(reply).slice(0, 300)}`);
    t.true(
      Object.keys(responses[wanted]!.content).includes(
        (headers.get('content-type') ?? '').replace('json; charset=utf-8', 'json'),
      ),
      url,
    );
    for (const name of Object.keys(responses[wanted]!.headers ?? {})) t.true(headers.has(name), `${url} ${name}`);
  }
});

/** Replaces placeholders in the examples of the docs by ids that clients create. */
async function ownSubjects(credentials: Readonly<Record<string, string>>): Promise<(url: string) => string> {
  const headers = { 'content-type': 'application/json', 'x-admin-token': adminToken, ...credentials };
  const post = (path: string, body: unknown) => api.get(path, { method: 'POST', body: JSON.stringify(body), headers });
  feed.paths.set('/depth', sends({ lastUpdateId: 1, bids: [['1.9', '1']], asks: [['2.1', '1']] }));
  const venue = { venue: 'Exchange', pair: 'FAT/USDT', feedUrl: feed.url('/depth'), venueKind: 'cex' };
  await post('/api/v1/markets', venue);
  const addresses = [`0x${'34'.repeat(20)}`];
  const { body: set } = await post('/api/v1/address-sets', { addresses });
  const { body: watch } = await post('/api/v1/watches', { url: feed.url('/hook'), addresses });
  const plain = { chainId: 271_828, nonce: 0, gasLimit: 21_000, gasPrice: 1 };
  const raw = await Wallet.createRandom().signTransaction(plain);
  const source = { stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } } };
  const { body: job } = await post(`/sourcify/v2/verify/271828/${chain.world.wfat}`, {
    ...source,
    compilerVersion: '0.8.37',
    contractIdentifier: 'a.sol:A',
  });
  await post('/api/v1/sql', { sql: 'SELECT 1', id: 'my-query-1' });
  const { body: saved } = await post('/api/v1/sql/saved', { title: 'One', sql: 'SELECT 1' });
  const result = { number: 1, blockNumber: 1, blockHash: '0x', columns: [], rows: [], rowCount: 0, error: '' };
  await api.deps.schedules.addResult(saved.id, { ...result, runMs: Date.now() });
  const { hash } = (await post('/api/v1/withdrawals', { raw, broadcast: false })).body;
  const [{ id: entity }] = (await api.get('/api/v1/registry/strings?kind=organization&limit=1')).body.items;
  const search = async () => (await api.get('/v1/search?q=received+coins', { headers })).body.items ?? [];
  await waitFor(async () => (await search()).length > 0, 30_000, 'events are derived');
  const [{ knotId }] = await search();
  return (url) =>
    url
      .replace(/knots\/0x[0-9a-f]+:tx/, `knots/${knotId}`)
      .replace(/entity\/0x[0-9a-f]+/, `entity/${entity}`)
      .replace(/verify\/0{8}-[0-]+/, `verify/${job.verificationId}`)
      .replace(`watches/${'0'.repeat(32)}`, `watches/${watch.id}`)
      .replace(`saved/${'0'.repeat(32)}`, `saved/${saved.id}`)
      .replace('0'.repeat(32), set.id)
      .replace(/withdrawals\/0x[0-9a-f]+/, `withdrawals/${hash}`);
}

test('no reply is cached for long: confirmations and doubt change also for finalized blocks', async (t) => {
  const control = async (path: string) => (await api.get(`/api/v1${path}`)).headers.get('cache-control');
  const transaction = (await api.get('/api/v1/transactions?toBlock=20&limit=1')).body.items[0].txHash;
  for (const path of [
    '/strings/20',
    `/transactions/${transaction}`,
    `/transactions/${transaction}?decode=true`,
    '/strings/finalized',
    '/strings/latest',
    '/stats',
  ])
    t.regex((await control(path)) ?? '', /^(public, max-age=\d|no-store)$/, path);
});

test('API reports result sizes and compresses with gzip or br', async (t) => {
  const used = async (key: string) => {
    const { status, headers, body } = await api.get('/api/v1/stats', { headers: { 'x-api-key': key } });
    t.is(status, 200, JSON.stringify(body));
    t.regex(headers.get('ratelimit-policy') ?? '', /^\d+;w=60;enforced=false$/);
    t.is(headers.get('x-ratelimit-remaining'), headers.get('ratelimit-remaining'));
    t.true(Number(headers.get('ratelimit-reset')) <= 60);
    return Number(headers.get('ratelimit-remaining'));
  };
  const keys = await Promise.all([1, 2].map(async () => (await mintKey(api, await signIn(api))).key));
  const first = await used(keys[0]!);
  t.is(await used(keys[0]!), first - 1);
  t.is(await used(keys[1]!), first);
  for (const encoding of ['gzip', 'br']) {
    const { headers, body } = await api.get('/api/v1/stats/charts', { headers: { 'accept-encoding': encoding } });
    t.is(headers.get('content-encoding'), encoding);
    t.true(body.items.length > 50);
  }
});

test.serial('API repeats a cached reply only while the chain is unchanged', async (t) => {
  const { replies } = api.deps;
  const kept: string[] = [];
  const { set } = replies;
  replies.set = (key, version, reply) => {
    kept.push(key);
    set.call(replies, key, version, reply);
  };
  const head = async () => (await api.get('/api/v1/strings?limit=1')).body.items[0].number;
  const makesNoneAgain = async () => {
    await head();
    const made = kept.length;
    await head();
    return made > 0 && kept.length === made;
  };
  await waitFor(makesNoneAgain, 30_000, 'a reply is given again while no job changes the state');
  const before = await head();
  await chain.mineLive(1);
  await waitFor(async () => (await head()) === before + 1, 30_000, 'the block that follows is told');
  t.is((await api.get('/api/v1/stats')).body.anchors, before + 2);
});
