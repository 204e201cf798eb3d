import test from 'ava';
import { refreshFeeds } from '#api/read/market/refresh-feeds.ts';
import { economySettings } from '#api/settings.ts';
import { devNetwork, listDevVenue } from '#commands/dev/dev-venue.ts';
import { buildOrderBook, startOrderBookFeed } from '#devchain/order-book-feed.ts';
import { readConfig } from '#runtime/config.ts';
import { type FeedServer, publicAddress, sends, startFeedServer } from '#test/helpers/feed-server.ts';
import { asks, bids, endless, maxFeedBytes, refusedReplies, refusedUrls, sound } from '#test/helpers/hostile-feeds.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { adminToken, type RunningApi, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let feed: FeedServer;
let api: RunningApi;

test.before(async () => {
  [indexed, feed] = await Promise.all([startIndexedChain({ blocks: 40, seed: 3 }), startFeedServer()]);
  await waitForTokens(indexed);
  const config = readConfig({
    FEED_HOSTS: `${feed.host},listed.example.com`,
    FEED_TIMEOUT_MS: '3000',
    FEED_MAX_BYTES: String(maxFeedBytes),
    DEVCHAIN_PORT: new URL(indexed.chain.rpc.url).port,
    FEED_STALE_SECONDS: '1',
  });
  const { markets } = economySettings(config);
  api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url], false, {
    markets,
    outbound: feed.network,
  });
});

test.after.always(async () => {
  await api?.stop();
  await feed?.stop();
  await indexed?.stop();
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.get('/api/v1/markets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-token': adminToken, ...headers },
    body: JSON.stringify(body),
  });
const venue = (feedUrl: string, pair = 'FAT/USDT', name = 'Probe') => ({
  venue: name,
  pair,
  feedUrl,
  venueKind: 'cex',
});
const readReason = async (feedUrl: string, pair?: string) => {
  const { status, body } = await post(venue(feedUrl, pair));
  return status === 422 && body.code === 'feed_rejected' ? body.details.reason : `${status} ${body.code ?? ''}`;
};
const remove = (id: string) =>
  api.get(`/api/v1/markets/${id}`, { method: 'DELETE', headers: { 'x-admin-token': adminToken } });

test.serial('4.6 a venue is probed, stored, shown with a capped book, and removed', async (t) => {
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
  t.true((await api.get('/docs')).body.includes(`/api/v1/markets/${body.id}"`), 'the docs link to it');
  const list = (await api.get('/api/v1/markets')).body;
  t.is(list.total, 1);
  t.like(list.centralised, { vwapMid: '2.005', venues: 1 });
  const canonical = (await api.get('/api/v1/nativefat/price')).body;
  t.is(list.canonical.price, canonical.price);
  t.not(list.canonical.price, list.centralised.vwapMid, 'the mid feeds no price');
  const page = await readPage(api, `/markets/${body.id}`);
  t.deepEqual([page.status, findForeignContent(page)], [200, []]);
  t.regex(page.text, new RegExp(`Bids .* ${bids[1]![0]} .* Asks .* ${asks[1]![0]}`));
  t.is((await remove(body.id)).status, 204);
  t.is((await readPage(api, `/markets/${body.id}`)).status, 404);
  t.is((await remove(body.id)).status, 404);
  const later = Date.now() + 60_000;
  await indexed.pipeline.deps.database.command(
    `INSERT INTO market_venues SELECT * REPLACE (${later} AS version) FROM market_venues FINAL WHERE id = '${body.id}'`,
  ); // as a host does whose clock is a minute ahead
  t.is((await post(venue(feed.url('/depth'), 'FAT/USDT', 'Cord Exchange'))).status, 201);
  t.is((await api.get('/api/v1/markets')).body.total, 1, 'added again');
  t.is((await remove(body.id)).status, 204);
  t.is((await api.get('/api/v1/markets')).body.total, 0);
  t.is((await api.get(`/api/v1/markets/${body.id}`)).status, 404);
});

test.serial('4.6 feeds of the three common formats, and of a book deeper than the cap, are read', async (t) => {
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
  const depth = Array.from({ length: 50 }, (_, i) => 1900n - BigInt(i)).reduce((sum, level) => sum + level, 2100n);
  const expected = ((2000n * depth + 2050n * 10_400n) * 10n ** 9n) / (depth + 10_400n);
  const { vwapMid } = (await api.get('/api/v1/markets')).body.centralised;
  t.is(
    vwapMid,
    `${expected / 10n ** 12n}.${String(expected % 10n ** 12n)
      .padStart(12, '0')
      .replace(/0+$/, '')}`,
  );
  const far = {
    bids: [['0.5', '1']],
    asks: [
      ['3.6', '1'],
      ['90000', '1000000'],
    ],
  };
  feed.paths.set('/thin', sends({ sequence: 6, ...far }));
  const thin = (await post(venue(feed.url('/thin'), 'FAT/USD', 'C'))).body;
  t.is((await api.get('/api/v1/markets')).body.centralised.vwapMid, vwapMid, 'orders far from the mid have no weight');
  for (const { id } of [coinbase, kraken, thin]) t.is((await remove(id)).status, 204);
});

test.serial('5 venues are changed only by the administrator, with valid bodies', async (t) => {
  const body = venue(feed.url('/depth'));
  for (const token of ['', 'wrong', adminToken.slice(1)])
    t.like((await post(body, { 'x-admin-token': token })).body, { code: 'admin_required', status: 401 });
  t.is((await post(body, { 'content-type': 'text/plain' })).status, 415);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.is((await post('venue=Harbour&pair=FAT/USDT', form)).status, 415, 'before the body is parsed');
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

test.serial('4.6 feeds with forbidden URLs are rejected without a request', async (t) => {
  const before = feed.requests;
  for (const [url, reason] of refusedUrls) t.is(await readReason(url), reason, url);
  t.is(feed.requests, before);
});

test.serial('4.6 a listed name that resolves to no public address is rejected, at the probe and later', async (t) => {
  feed.paths.set('/depth', sends(sound));
  const before = feed.requests;
  for (const answer of [
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['::ffff:a01:203'],
    ['fd00::1'],
    ['fe80::1'],
    ['64:ff9b::a00:1'],
    ['not an address'],
    [publicAddress, '192.168.0.1'],
  ]) {
    feed.answers = [answer];
    t.is(await readReason(feed.url('/depth')), 'private_address', answer.join());
  }
  feed.isSilent = true;
  t.is(await readReason(feed.url('/depth')), 'probe_timeout', 'a resolver that says nothing');
  feed.isSilent = false;
  feed.answers = [[]];
  t.is(await readReason(feed.url('/depth')), 'probe_unreachable');
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
  const again = (await api.get(`/api/v1/markets/${body.id}`)).body;
  t.like(again, { lastFault: null, stale: false });
  t.true(again.unchangedSeconds > 1 && again.ageSeconds < 1, 'the feed sends the same book again');
  await remove(body.id);
});

test.serial('4.6 feeds with wrong replies are rejected with the reason', async (t) => {
  for (const [name, [answer, reason]] of Object.entries(refusedReplies)) {
    feed.paths.set('/hostile', answer);
    t.is(await readReason(feed.url('/hostile')), reason, name);
  }
  feed.paths.set('/hostile', sends(sound));
  t.is(await readReason(feed.url('/hostile'), 'BTC/USDT'), 'not_native_pair');
  t.is(await readReason(feed.url(`/hostile?token=0x${'ab'.repeat(20)}`)), 'namesake_token');
  t.is(await readReason(feed.url('/hostile?symbol=FATCATUSDT')), 'namesake_token', 'its URL asks for another pair');
  t.is(await readReason(feed.url('/hostile'), 'FAT/EUR'), 'pair_not_named', 'nothing ties it to the pair');
  t.true(refusedUrls.length + Object.keys(refusedReplies).length > 80);
  t.is((await api.get('/api/v1/markets')).body.total, 0, 'nothing was kept');
});

test.serial('4.6 feeds are refreshed on schedule until the service stops', async (t) => {
  feed.paths.set('/depth', sends(sound));
  const { body } = await post(venue(feed.url('/depth')));
  const clock = new AbortController();
  t.teardown(() => clock.abort());
  const settings = { ...api.deps.settings, markets: { ...api.deps.settings.markets, schedule: '* * * * * *' } };
  const before = feed.requests;
  refreshFeeds({ ...api.deps, settings }, clock.signal);
  await waitFor(async () => feed.requests >= before + 3, 30_000, 'three looks at the feed');
  feed.paths.set('/depth', sends({ ...sound, bids: [['1.5', '1']] }));
  const midNow = async () => (await api.get(`/api/v1/markets/${body.id}`)).body.mid;
  await waitFor(async () => (await midNow()) === '1.755', 30_000, 'the new book is shown');
  clock.abort();
  const ended = feed.requests;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  t.true(feed.requests <= ended + 1);
  await remove(body.id);
});

test.serial('4.6 a feed with an untrusted certificate is rejected', async (t) => {
  const stranger = await startFeedServer();
  stranger.paths.set('/depth', sends(sound));
  const { port } = stranger;
  api.deps.settings.markets.hosts.includes(stranger.host) ||
    (api.deps.settings.markets.hosts as string[]).push(stranger.host);
  t.is(await readReason(`https://feeds.example.com:${port}/depth`), 'probe_unreachable');
  t.is(stranger.requests, 0);
  await stranger.stop();
});

test.serial('8 the dev chain’s venue passes the same probe and opens no other access to this machine', async (t) => {
  const { chain, pipeline } = indexed;
  const running = await startOrderBookFeed(chain.rpc, chain.world, '127.0.0.1');
  const network = { ...devNetwork(running.feed), resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  const settings = { markets: api.deps.settings.markets, outbound: network };
  const dev = await startApi(pipeline.deps.database, [chain.rpc.url], false, settings);
  const stop = new AbortController();
  await listDevVenue(dev.deps, running.feed, stop.signal);
  const isOwn = (one: { venue: string }) => one.venue === 'Dev Exchange';
  const listedOnes = async () => (await dev.get('/api/v1/markets')).body.venues.filter(isOwn);
  const [listed] = await listedOnes();
  t.like(listed, { pair: 'FAT/USDT', stale: false, lastFault: null });
  const { book } = (await dev.get(`/api/v1/markets/${listed.id}`)).body;
  const call = { to: chain.world.pair, data: chain.world.contracts.Pair.abi.encodeFunctionData('getReserves') };
  const answer = await chain.rpc.call<string>('eth_call', [call, 'latest']);
  const [first, second] = [answer.slice(2, 66), answer.slice(66, 130)].map((word) => BigInt(`0x${word}`));
  const [coin, dollars] = chain.world.wfatIsToken0 ? [first!, second!] : [second!, first!];
  t.deepEqual(book.bids, buildOrderBook(coin, dollars).bids.slice(0, 50));
  const moved = {
    ...running.feed,
    feedUrl: running.feed.feedUrl.replace('symbol=FATUSDT', 'symbol=FATUSDT&limit=9'),
  };
  await listDevVenue(dev.deps, moved, stop.signal);
  t.deepEqual(
    (await listedOnes()).map((one: { feedUrl: string }) => one.feedUrl),
    [moved.feedUrl],
    'a feed at another address takes the place of the one before',
  );
  const { host, feedUrl } = running.feed;
  const [, port] = host.split(':');
  const headers = { 'content-type': 'application/json', 'x-admin-token': adminToken };
  const asked = async (url: string, from = dev) => {
    const init = { method: 'POST', headers, body: JSON.stringify(venue(url)) };
    return (await from.get('/api/v1/markets', init)).body.details?.reason;
  };
  t.is(await asked('https://listed.example.com/'), 'private_address', 'another listed name on this machine');
  t.is(await asked(`https://127.0.0.1:${port}/`), 'private_address');
  t.is(await asked(feedUrl.replace(`:${port}`, ':8443')), 'host_not_allowlisted');
  t.is(await asked(feedUrl, api), 'host_not_allowlisted', 'a service without a dev chain');
  await remove(listed.id);
  await dev.stop();
  await running.stop();
});

test.serial('memory stays flat when a hundred feeds send endless bodies', async (t) => {
  feed.paths.set('/endless', endless);
  const once = () => readReason(feed.url('/endless'));
  for (let i = 0; i < 20; i++) await once();
  const before = process.memoryUsage();
  for (let i = 0; i < 100; i++) t.is(await once(), 'probe_too_large');
  const after = process.memoryUsage();
  t.true(after.rss - before.rss < 64 * 2 ** 20, `${before.rss} -> ${after.rss}`);
});
