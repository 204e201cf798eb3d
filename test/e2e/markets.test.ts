/** Trading venues (specification 4.2, 4.6): feeds of local servers, hostile ones among them, against the rules. */
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { economySettings } from '#api/economy-settings.ts';
import { readConfig } from '#runtime/config.ts';
import { type FeedServer, publicAddress, sends, startFeedServer } from '#test/helpers/feed-server.ts';
import { type IndexedChain, startIndexedChain, tokensAsked } from '#test/helpers/indexed-chain.ts';
import { adminToken, type RunningApi, startApi } from '#test/helpers/service.ts';

const maxBytes = 65_536;
let indexed: IndexedChain;
let feed: FeedServer;
let api: RunningApi;

test.before(async () => {
  [indexed, feed] = await Promise.all([startIndexedChain({ blocks: 40, seed: 3 }), startFeedServer()]);
  await tokensAsked(indexed);
  const config = readConfig({
    ...{ FEED_HOSTS: `${feed.host},listed.example.com`, FEED_TIMEOUT_MS: '400', FEED_MAX_BYTES: String(maxBytes) },
    ...{ DEVCHAIN_PORT: new URL(indexed.chain.rpc.url).port, FEED_STALE_SECONDS: '1' },
  });
  const { markets } = economySettings(config);
  api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url], false, { markets }, feed.network);
});

test.after.always(async () => {
  await api?.stop();
  await feed?.stop();
  await indexed?.stop();
});

const bids = [
  ['1.99', '10'],
  ['2.00', '5.5'],
];
const asks = [
  ['2.02', '3'],
  ['2.01', '7'],
];
const sound = { lastUpdateId: 1, bids, asks };

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.get('/api/v1/markets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-token': adminToken, ...headers },
    body: JSON.stringify(body),
  });
const venue = (feedUrl: string, pair = 'FAT/USDT', name = 'Probe') => ({
  ...{ venue: name, pair, feedUrl, venueKind: 'cex' },
});
const reasonOf = async (feedUrl: string, pair?: string) => {
  const { status, body } = await post(venue(feedUrl, pair));
  return status === 422 && body.code === 'feed_rejected' ? body.details.reason : `${status} ${body.code ?? ''}`;
};
const remove = (id: string) =>
  api.get(`/api/v1/markets/${id}`, { method: 'DELETE', headers: { 'x-admin-token': adminToken } });

test.serial('4.6 a venue is probed, kept, shown with a capped book, and removed', async (t) => {
  feed.paths.set('/depth', sends(sound));
  const { status, body } = await post(venue(feed.url('/depth'), 'FAT/USDT', 'Cord Exchange'));
  t.is(status, 201);
  t.like(body, { id: 'cord-exchange-fat-usdt', adapter: 'binance', mid: '2.005', spreadBps: '49.87', stale: false });
  t.deepEqual(body.book.bids, [bids[1], bids[0]], 'best bid first, prices as they came');
  t.deepEqual(body.book.asks, [asks[1], asks[0]]);
  const before = feed.requests;
  t.deepEqual((await api.get(`/api/v1/markets/${body.id}`)).body.book, body.book);
  t.is(feed.requests, before, 'a reply waits for no feed');
  t.is((await post(venue(feed.url('/depth'), 'FAT/USDT', 'Cord Exchange'))).status, 409);
  const list = (await api.get('/api/v1/markets')).body;
  t.is(list.total, 1);
  t.like(list.centralised, { vwapMid: '2.005', venues: 1 });
  const canonical = (await api.get('/api/v1/nativefat/price')).body;
  t.is(list.canonical.price, canonical.price);
  t.not(list.canonical.price, list.centralised.vwapMid, 'the mid feeds no price');
  t.is((await remove(body.id)).status, 204);
  t.is((await remove(body.id)).status, 404);
  t.is((await api.get(`/api/v1/markets/${body.id}`)).status, 404);
});

test.serial('4.6 the three common shapes, and a book deeper than the cap', async (t) => {
  const deep = Array.from({ length: 120 }, (_, i) => [`1.${900 - i}`, '1', 3]);
  feed.paths.set(
    '/coinbase',
    sends({ sequence: 5, bids: deep, asks: [['2.1', '1', 'order-id']], auction_mode: false }),
  );
  feed.paths.set(
    '/kraken',
    sends({ error: [], result: { FATUSDT: { bids: [['2', '1', 17]], asks: [['2.1', '4', 17]] } } }),
  );
  const coinbase = (await post(venue(feed.url('/coinbase'), 'FAT/USD', 'A'))).body;
  t.like(coinbase, { adapter: 'coinbase' });
  t.is(coinbase.book.bids.length, 50);
  t.is(coinbase.book.bids[0][0], '1.900');
  const kraken = (await post(venue(feed.url('/kraken'), 'FAT/USDT', 'B'))).body;
  t.like(kraken, { adapter: 'kraken', mid: '2.05' });
  // (1.9+2.1)/2 weighted by the value of its 50 bids and an ask, and 2.05 by 2 + 8.4
  const depth = Array.from({ length: 50 }, (_, i) => 1900n - BigInt(i)).reduce((sum, level) => sum + level, 2100n);
  const expected = ((2000n * depth + 2050n * 10_400n) * 10n ** 9n) / (depth + 10_400n);
  const { vwapMid } = (await api.get('/api/v1/markets')).body.centralised;
  t.is(
    vwapMid,
    `${expected / 10n ** 12n}.${String(expected % 10n ** 12n)
      .padStart(12, '0')
      .replace(/0+$/, '')}`,
  );
  for (const { id } of [coinbase, kraken]) t.is((await remove(id)).status, 204);
});

test.serial('5 the administrator alone; bodies are checked', async (t) => {
  const body = venue(feed.url('/depth'));
  for (const token of ['', 'wrong', adminToken.slice(1)])
    t.like((await post(body, { 'x-admin-token': token })).body, { code: 'admin_required', status: 401 });
  t.is((await post(body, { 'content-type': 'text/plain' })).status, 415);
  for (const wrong of [
    { ...body, pair: 'fat/usdt' },
    { ...body, pair: 'FATUSDT' },
    { ...body, venue: '' },
    { ...body, venue: 'x'.repeat(65) },
    { ...body, venue: '<b>' },
    { ...body, venueKind: 'dex' },
    { ...body, more: 1 },
    { venue: 'x' },
  ])
    t.is((await post(wrong)).status, 400, JSON.stringify(wrong));
});

/** URLs that are refused before anybody connects. */
const refusedUrls: [string, string][] = [
  ['no url', 'bad_url'],
  ['https://', 'bad_url'],
  ['https://feeds.example.com:99999/', 'bad_url'],
  ['http://listed.example.com/', 'not_https'],
  ['ftp://listed.example.com/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['https://user:word@listed.example.com/', 'credentials_in_url'],
  ...[
    ...['127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
    ...['１２７.0.0.1', '0', '0.0.0.0', '10.0.0.1', '172.16.3.4', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:0a00:0001]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]'],
    ...['[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[2001::1]', '[2001:db8::1]', '[100::1]'],
  ].map((host): [string, string] => [`https://${host}/depth`, 'private_address']),
  ['https://8.8.8.8/depth', 'host_not_allowlisted'],
  ['https://localhost/depth', 'host_not_allowlisted'],
  ['https://other.example.com/depth', 'host_not_allowlisted'],
  ['https://listed.example.com:8443/depth', 'host_not_allowlisted'],
  ['https://listed.example.com.evil.example/depth', 'host_not_allowlisted'],
  ['https://listed.example.com./depth', 'host_not_allowlisted'],
  ['https://listed.example.com@evil.example/depth', 'credentials_in_url'],
];

test.serial('4.6 feeds by URLs that must not be asked are refused unasked', async (t) => {
  const before = feed.requests;
  for (const [url, reason] of refusedUrls) t.is(await reasonOf(url), reason, url);
  t.is(feed.requests, before);
});

test.serial(
  '4.6 a listed name that leads to no public address is refused, at the probe and at each later look',
  async (t) => {
    feed.paths.set('/depth', sends(sound));
    const before = feed.requests;
    for (const answer of [
      ...[['127.0.0.1'], ['10.1.2.3'], ['169.254.169.254'], ['::1'], ['::ffff:10.0.0.1'], ['::ffff:a01:203']],
      ...[['fd00::1'], ['fe80::1'], ['64:ff9b::a00:1'], ['not an address'], [publicAddress, '192.168.0.1']],
    ]) {
      feed.answers = [answer];
      t.is(await reasonOf(feed.url('/depth')), 'private_address', answer.join());
    }
    feed.isSilent = true;
    t.is(await reasonOf(feed.url('/depth')), 'probe_timeout', 'a resolver that says nothing');
    feed.isSilent = false;
    feed.answers = [[]];
    t.is(await reasonOf(feed.url('/depth')), 'probe_unreachable');
    t.is(feed.requests, before);
    feed.answers = [[publicAddress], ['127.0.0.1']];
    const { body } = await post(venue(feed.url('/depth')));
    t.is(feed.requests, before + 1);
    await api.deps.venues.refresh(api.deps);
    t.is(feed.requests, before + 1, 'the second look goes nowhere');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const shown = (await api.get(`/api/v1/markets/${body.id}`)).body;
    t.like(shown, { lastFault: 'private_address', stale: true, mid: '2.005' });
    t.is((await api.get('/api/v1/markets')).body.centralised.vwapMid, null, 'an old book is no part of the aggregate');
    feed.answers = [[publicAddress]];
    await api.deps.venues.refresh(api.deps);
    t.like((await api.get(`/api/v1/markets/${body.id}`)).body, { lastFault: null, stale: false });
    await remove(body.id);
  },
);

type Answer = ReturnType<typeof sends>;
const endless: Answer = (_, response) => {
  const chunk = Buffer.alloc(65_536, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
const dripping: Answer = (_, response) => {
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};
const withBids = (levels: unknown) => sends({ ...sound, bids: levels });

/** Replies that are refused. */
const refusedReplies: Record<string, [Answer, string]> = {
  'redirect to another host': [sends('', 302, { location: 'https://evil.example/' }), 'probe_redirect'],
  'redirect to a private address': [sends('', 307, { location: 'https://169.254.169.254/' }), 'probe_redirect'],
  'redirect on the host': [sends('', 301, { location: '/depth' }), 'probe_redirect'],
  'not found': [sends(sound, 404), 'probe_bad_status'],
  'server fault': [sends(sound, 500), 'probe_bad_status'],
  'no content': [sends('', 204), 'probe_bad_status'],
  'endless body': [endless, 'probe_too_large'],
  'too large by its own word': [sends(sound, 200, { 'content-length': '99999999' }), 'probe_too_large'],
  'a little too large': [sends(' '.repeat(maxBytes + 1)), 'probe_too_large'],
  'slow body': [dripping, 'probe_timeout'],
  'no reply': [() => undefined, 'probe_timeout'],
  'connection cut': [(request) => request.socket.destroy(), 'probe_unreachable'],
  'empty reply': [sends(''), 'probe_bad_schema'],
  'a page': [sends('<html>rates</html>'), 'probe_bad_schema'],
  'cut JSON': [sends('{"lastUpdateId":1,"bids":[["1"'), 'probe_bad_schema'],
  'compressed unasked': [
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(sound))),
    'probe_bad_schema',
  ],
  null: [sends('null'), 'probe_bad_schema'],
  list: [sends([]), 'probe_bad_schema'],
  'no sides': [sends({ lastUpdateId: 1 }), 'probe_bad_schema'],
  'sides are text': [withBids('1,2'), 'probe_bad_schema'],
  'levels are objects': [withBids([{ price: '1', size: '2' }]), 'probe_bad_schema'],
  'level without a size': [withBids([['1']]), 'probe_bad_schema'],
  'deeply nested': [sends(`${'['.repeat(30_000)}${']'.repeat(30_000)}`), 'probe_bad_schema'],
  'Kraken says an error': [sends({ error: ['EQuery'], result: {} }), 'probe_bad_schema'],
  'Kraken says two pairs': [
    sends({ error: [], result: { FATUSDT: { bids, asks }, BTCUSDT: { bids, asks } } }),
    'probe_bad_schema',
  ],
  'no bids': [withBids([]), 'probe_empty_book'],
  'no asks': [sends({ ...sound, asks: [] }), 'probe_empty_book'],
  'sizes of 0': [withBids([['2', '0']]), 'probe_empty_book'],
  crossed: [withBids([['2.5', '1']]), 'probe_crossed_book'],
  locked: [withBids([['2.01', '1']]), 'probe_crossed_book'],
  'price in powers of ten': [withBids([['1e3', '1']]), 'probe_bad_number'],
  'huge price': [withBids([[`1${'0'.repeat(60)}`, '1']]), 'probe_bad_number'],
  'price longer than any': [withBids([['1'.repeat(65), '1']]), 'probe_bad_schema'],
  'huge number': [sends('{"lastUpdateId":1,"bids":[[1e308,1]],"asks":[["2.1","1"]]}'), 'probe_bad_number'],
  'infinite number': [sends('{"lastUpdateId":1,"bids":[[1e999,1]],"asks":[["2.1","1"]]}'), 'probe_bad_schema'],
  'negative price': [withBids([['-1', '1']]), 'probe_bad_number'],
  'price 0': [withBids([['0', '1']]), 'probe_bad_number'],
  'no number': [withBids([['NaN', '1']]), 'probe_bad_number'],
  'a contract': [sends({ ...sound, contractAddress: `0x${'12'.repeat(20)}` }), 'namesake_token'],
  'a contract further in': [sends({ ...sound, asset: { contract: 'So111' } }), 'namesake_token'],
  'another chain': [sends({ ...sound, chainId: 1 }), 'namesake_token'],
  'another symbol': [sends({ ...sound, symbol: 'FATCATUSDT' }), 'namesake_token'],
  'another pair at Kraken': [sends({ error: [], result: { XBTUSD: { bids, asks } } }), 'namesake_token'],
  'far above the canonical price': [sends({ ...sound, bids: [['40', '1']], asks: [['41', '1']] }), 'namesake_token'],
  'far below the canonical price': [
    sends({ ...sound, bids: [['0.0001', '1']], asks: [['0.0002', '1']] }),
    'namesake_token',
  ],
};

test.serial('4.6 feeds that answer wrongly are refused with the reason', async (t) => {
  for (const [name, [answer, reason]] of Object.entries(refusedReplies)) {
    feed.paths.set('/hostile', answer);
    t.is(await reasonOf(feed.url('/hostile')), reason, name);
  }
  feed.paths.set('/hostile', sends(sound));
  t.is(await reasonOf(feed.url('/hostile'), 'BTC/USDT'), 'not_native_pair');
  t.is(await reasonOf(feed.url(`/hostile?token=0x${'ab'.repeat(20)}`)), 'namesake_token');
  t.true(refusedUrls.length + Object.keys(refusedReplies).length > 80);
  t.is((await api.get('/api/v1/markets')).body.total, 0, 'nothing was kept');
});

test.serial('4.6 a certificate of nobody is no feed', async (t) => {
  const stranger = await startFeedServer();
  stranger.paths.set('/depth', sends(sound));
  const { port } = stranger;
  api.deps.settings.markets.hosts.includes(stranger.host) ||
    (api.deps.settings.markets.hosts as string[]).push(stranger.host);
  t.is(await reasonOf(`https://feeds.example.com:${port}/depth`), 'probe_unreachable');
  t.is(stranger.requests, 0);
  await stranger.stop();
});

test.serial('a hundred endless bodies leave memory flat', async (t) => {
  feed.paths.set('/endless', endless);
  const once = () => reasonOf(feed.url('/endless'));
  for (let i = 0; i < 20; i++) await once();
  const before = process.memoryUsage();
  for (let i = 0; i < 100; i++) t.is(await once(), 'probe_too_large');
  const after = process.memoryUsage();
  t.true(after.rss - before.rss < 64 * 2 ** 20, `${before.rss} -> ${after.rss}`);
});
