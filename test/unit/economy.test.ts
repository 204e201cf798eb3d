import test from 'ava';
import fc from 'fast-check';
import type { ApiDeps } from '#api/deps.ts';
import { type FeeRecord, secondsToInclusion } from '#api/read/chain/gas-prices.ts';
import { assertNoNamesake } from '#api/read/market/feed/namesake.ts';
import { computeMid, isSameBook, readOrderBook, scaled } from '#api/read/market/feed/order-book.ts';
import { FeedRefused } from '#api/read/market/feed/refusal.ts';
import type { Venue } from '#api/read/market/venues.ts';
import { asymptoticSupply, emissionAt, yearSeconds } from '#api/read/supply/emission.ts';
import { reconcileMigration } from '#api/read/supply/migration.ts';
import type { Reconciliation } from '#api/read/supply/reconcile.ts';
import { SupplyReader } from '#api/read/supply/supply-reader.ts';
import { type FeedDeps, venueSummary } from '#api/routes/markets/venue-reply.ts';
import { buildOrderBook } from '#devchain/order-book-feed.ts';
import { readConfig } from '#runtime/config.ts';
import { isPublicAddress } from '#runtime/outbound/public-address.ts';

const fat = 10n ** 18n;
const schedule = { genesis: 10_000_000_000n * fat, annual: 500_000_000n * fat, eraYears: 4 };

test('1.7 emission is 500 million a year, halves every four years, and totals 14 billion', (t) => {
  const after = (years: number) => emissionAt(schedule, 1_000, 1_000 + years * yearSeconds);
  t.is(after(0).emitted, 0n);
  t.is(after(1).emitted, 500_000_000n * fat);
  t.is(after(4).emitted, 2_000_000_000n * fat);
  t.like(after(4), { era: 2, annual: 250_000_000n * fat, eraStart: 1_000 + 4 * yearSeconds });
  t.is(after(5).emitted, 2_250_000_000n * fat);
  t.is(after(12).emitted, 3_500_000_000n * fat);
  t.is(emissionAt(schedule, 1_000, 500).emitted, 0n, 'nothing before the start');
  t.is(asymptoticSupply(schedule), 14_000_000_000n * fat);
  t.true(after(2_000).emitted < 4_000_000_000n * fat && after(2_000).emitted > 3_999_999_999n * fat);
});

test('1.7 emission grows with time, at most at the rate of its era', (t) => {
  const seconds = fc.integer({ min: 0, max: 400 * yearSeconds });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 1_000_000 }), (from, more) => {
      const [before, after] = [emissionAt(schedule, 0, from), emissionAt(schedule, 0, from + more)];
      const grown = after.emitted - before.emitted;
      const most = ((schedule.annual >> BigInt(before.era - 1)) * BigInt(more)) / BigInt(yearSeconds) + 1n;
      return grown >= 0n && grown <= most && after.emitted <= 4_000_000_000n * fat;
    }),
  );
  t.pass();
});

test('4.6 every private IPv4 address is rejected, also in each IPv6 form', (t) => {
  const byte = fc.integer({ min: 0, max: 255 });
  const low = fc.tuple(byte, byte, byte).map((bytes) => bytes.join('.'));
  const privates = fc.oneof(
    low.map((rest) => `10.${rest}`),
    low.map((rest) => `127.${rest}`),
    low.map((rest) => `0.${rest}`),
    fc.tuple(byte, byte).map((rest) => `192.168.${rest.join('.')}`),
    fc.tuple(byte, byte).map((rest) => `169.254.${rest.join('.')}`),
    fc.tuple(fc.integer({ min: 16, max: 31 }), byte, byte).map((rest) => `172.${rest.join('.')}`),
    fc.tuple(fc.integer({ min: 64, max: 127 }), byte, byte).map((rest) => `100.${rest.join('.')}`),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte).map((bytes) => bytes.join('.')),
  );
  fc.assert(
    fc.property(privates, (address) =>
      [address, `::ffff:${address}`, `[::ffff:${address}]`, `64:ff9b::${address}`, `::${address}`].every(
        (text) => !isPublicAddress(text),
      ),
    ),
  );
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '[2a00:1450::5]'])
    t.true(isPublicAddress(address), address);
  for (const address of ['', 'localhost', '1.2.3.4.5', '::ffff:8.8.8.8', '2002:808:808::', '3fff::1', 'fec0::1'])
    t.false(isPublicAddress(address), address);
});

test('4.6 any text is either a valid book or rejected', (t) => {
  const figure = fc.oneof(fc.string(), fc.double(), fc.integer().map(String), fc.constant('1.5'));
  const levels = fc.array(fc.array(figure, { maxLength: 4 }), { maxLength: 5 });
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ lastUpdateId: fc.integer(), bids: levels, asks: levels }),
    fc.record({
      error: fc.constant([]),
      result: fc.dictionary(fc.string(), fc.record({ bids: levels, asks: levels })),
    }),
  );
  fc.assert(
    fc.property(value, (document) => {
      try {
        const book = readOrderBook(JSON.stringify(document), 3);
        const [bid, ask] = [scaled(book.bids[0]![0]), scaled(book.asks[0]![0])];
        return bid > 0n && bid < ask && computeMid(book) >= bid && computeMid(book) < ask && book.bids.length <= 3;
      } catch (error) {
        return error instanceof FeedRefused;
      }
    }),
    { numRuns: 2_000 },
  );
  const numbers = { lastUpdateId: 1, bids: [[0.12, 5e-7]], asks: [[0.13, 1.25e-9]] };
  t.like(readOrderBook(JSON.stringify(numbers), 3), {
    bids: [['0.12', '0.0000005']],
    asks: [['0.13', '0.00000000125']],
  });
});

test('4.6 a feed is accepted only if its content, URL or price shows that it is about the pair', (t) => {
  const document = (more: object) =>
    JSON.stringify({ lastUpdateId: 1, bids: [['1.9', '1']], asks: [['2.1', '1']], ...more });
  const refusal = (
    path: string,
    { body = {}, pair = 'FAT/USDT', canonical }: { body?: object; pair?: string; canonical?: bigint } = {},
  ) => {
    const text = document(body);
    const native = { pair, coinSymbol: 'FAT', chainId: 271_828, canonical };
    try {
      assertNoNamesake(new URL(`https://feeds.example.com${path}`), text, readOrderBook(text, 5), native);
      return 'taken';
    } catch (error) {
      return (error as FeedRefused).reason;
    }
  };
  const two = 2n * fat;
  t.is(refusal('/depth'), 'pair_not_named', 'no name, no price');
  t.is(refusal('/depth?limit=50'), 'pair_not_named');
  t.is(refusal('/depth', { canonical: two }), 'taken', 'its price says it');
  t.is(refusal('/depth', { canonical: 11n * fat }), 'namesake_token');
  t.is(
    refusal('/depth', { canonical: two, pair: 'FAT/EUR' }),
    'pair_not_named',
    'a price in dollars says nothing of euros',
  );
  for (const path of [
    '/depth?symbol=FATUSDT',
    '/products/FAT-USDT/book',
    '/Depth?pair=fat_usdt',
    '/depth?pair=XFATZUSDT',
  ])
    t.is(refusal(path), 'taken', path);
  t.is(refusal('/depth', { body: { symbol: 'FAT/USDT' } }), 'taken');
  for (const path of ['/depth?symbol=FATCATUSDT', '/depth?product_id=FAT-USDC', '/FAT-USDT/book?instId=XFAT-USDT'])
    t.is(refusal(path, { canonical: two }), 'namesake_token', path);
  t.is(refusal('/products/FATCAT-USDT/book'), 'pair_not_named');
  t.is(refusal('/depth?symbol=FATUSDT', { body: { symbol: 'FATCATUSDT' } }), 'namesake_token');
});

test('4.2 seconds to inclusion equal those of the blocks', (t) => {
  const block = (time: number, lowest: string | null, gasUsed: number): FeeRecord => ({
    block_number: '1',
    time,
    base_fee: '1',
    gas_used: String(gasUsed),
    gas_limit: '1000000',
    tips_at_ranks: [],
    lowest_tip: lowest,
    transactions: lowest === null ? '0' : '1',
  });
  const full = 990_000;
  const rows = [block(0, '5', full), block(10, '9', full), block(25, '9', full), block(40, '5', full)];
  t.is(secondsToInclusion(rows, 9n), Math.round((10 + 15 + 15) / 0.003) / 1000, 'the next block each time');
  t.is(
    secondsToInclusion(rows, 5n),
    Math.round((40 + 30 + 15) / 0.003) / 1000,
    'full blocks that took more are waited out',
  );
  t.is(secondsToInclusion(rows, 4n), null, 'no block took so little');
  t.is(secondsToInclusion([block(0, '5', 0), block(7, null, 0)], 5n), 7, 'an empty block has room');
  t.is(secondsToInclusion([], 5n), null);
});

test('1.7 the migration invariant requires equal sides and unique nullifiers', (t) => {
  const reading = (burned: bigint | null, asOfMs: number | null = null) => ({
    burned,
    source: 'document' as const,
    name: 'x',
    block: null,
    readAtMs: 0,
    asOf: null,
    asOfMs,
    fault: null,
  });
  const mints = (origin: string, amount: bigint) => ({ origin, amount, mints: 1, nullifiers: 1, lastMs: 2_000 });
  const state = (...args: Parameters<typeof reconcileMigration>) => reconcileMigration(...args).state;
  t.is(state([mints('1', 5n)], [reading(5n), reading(0n)], []), 'holds');
  t.is(state([mints('1', 5n)], [reading(6n), reading(0n)], []), 'burns_pending');
  t.is(state([mints('1', 5n)], [reading(4n), reading(0n)], []), 'broken');
  t.is(state([mints('1', 5n)], [reading(0n), reading(5n)], []), 'broken', 'the sums are equal, the origins are not');
  t.is(state([mints('1', 5n)], [reading(5n), reading(null)], []), 'unknown');
  t.is(state([mints('7', 1n)], [reading(1n), reading(0n)], []), 'broken', 'a chain that is no origin');
  const twice = reconcileMigration(
    [mints('1', 5n)],
    [reading(5n), reading(0n)],
    [{ nullifier: '0x', mints: 2, excess: 1n }],
  );
  t.deepEqual([twice.state, twice.invariantHolds], ['broken', false], 'although the totals are equal');
  t.is(
    state([mints('1', 5n)], [reading(4n, 1_999), reading(0n)], []),
    'unknown',
    'a burn may be newer than the reading',
  );
  t.is(state([mints('1', 5n)], [reading(4n, 2_000), reading(0n)], []), 'broken');
  t.is(state([mints('1', 5n)], [reading(5n, 1_999), reading(0n)], []), 'holds');
});

test('4.8 the supply is computed once for concurrent callers, and served stale for a while when it can’t be computed', async (t) => {
  let [now, made, fails] = [1_000_000, 0, false];
  const deps = { log: { info: () => undefined, error: () => undefined } } as unknown as ApiDeps;
  const make = async () => {
    if (fails) throw new Error('no node');
    const migration = { state: 'holds', alerts: [] };
    return { block: ++made, computedAtMs: now, migration } as unknown as Reconciliation;
  };
  const reader = new SupplyReader(make, () => now);
  const blockAfter = async (ms: number) => {
    now += ms;
    return (await reader.read(deps)).block;
  };
  t.deepEqual(await Promise.all([blockAfter(0), blockAfter(0), blockAfter(0)]), [1, 1, 1]);
  t.is(await blockAfter(999), 1);
  t.is(await blockAfter(1), 1, 'a second old: given, and made anew beside');
  t.is(await blockAfter(0), 2);
  t.is(await blockAfter(5_000), 3, 'five seconds old: waited for');
  fails = true;
  t.is(await blockAfter(60_000), 3, 'no new one: the last one is given');
  t.is(reader.peek(deps)?.block, 3);
  t.is(reader.fault, undefined, 'it fails for a short time');
  await t.throwsAsync(blockAfter(600_000), { message: 'no node' });
  t.is(reader.peek(deps), undefined, 'too old to be shown as the supply');
  t.regex(reader.fault ?? '', /supply_error/);
  await t.throwsAsync(blockAfter(0), { message: 'no node' });
  fails = false;
  t.is(await blockAfter(0), 4);
  t.deepEqual([reader.peek(deps)?.block, reader.fault], [4, undefined]);
});

test('4.8 a node that hangs does not delay the supply while the last one may be shown', async (t) => {
  let [now, hangs] = [1_000_000, false];
  const deps = { log: { info: () => undefined, error: () => undefined } } as unknown as ApiDeps;
  const make = async () => {
    if (hangs) await new Promise(() => undefined);
    return { block: 1, computedAtMs: now, migration: { state: 'holds', alerts: [] } } as unknown as Reconciliation;
  };
  const reader = new SupplyReader(make, () => now);
  t.is((await reader.read(deps)).block, 1);
  hangs = true;
  now += 60_000;
  t.is((await reader.read(deps)).block, 1);
});

test('economy configuration reports its errors', (t) => {
  t.like(readConfig({ DEX_POOLS: `0x${'Aa'.repeat(20)}:0x${'1'.repeat(40)}:0x${'2'.repeat(40)}` }).DEX_POOLS[0], {
    address: `0x${'aa'.repeat(20)}`,
  });
  for (const [name, value] of [
    ['WFAT_ADDRESS', '0x12'],
    ['STABLECOINS', '0x12,'],
    ['DEX_POOLS', `0x${'1'.repeat(40)}`],
    ['SUPPLY_EXCLUDED', `0x${'1'.repeat(40)}`],
    ['SUPPLY_EXCLUDED', `0x${'aB'.repeat(20)}=treasury,0x${'Ab'.repeat(20)}=team`],
    ['ORIGIN_1_URL', 'ftp://x'],
    ['FEED_HOSTS', '127.0.0.1'],
    ['EMISSION_METHOD', 'eth_call'],
    ['FEED_HOSTS', 'https://x.com'],
    ['FEED_SCHEDULE', 'always'],
    ['ORIGIN_2_TOKEN', `0x${'1'.repeat(40)}`],
  ] as const)
    t.throws(() => readConfig({ [name]: value }), { message: new RegExp(name) }, value);
  const foreign = { DEV_FEED: '/tmp/feed.json', RPC_URL: 'https://rpc.example.org' };
  t.throws(
    () => readConfig(foreign),
    { message: /DEV_FEED is set with RPC_URL/ },
    'a venue on this machine is of the dev chain alone',
  );
  t.is(readConfig({ DEV_FEED: '/tmp/feed.json' }).DEV_FEED, '/tmp/feed.json');
});

test('dev chain order book equals its pair level by level', (t) => {
  const reserve = fc.bigInt({ min: 10n ** 20n, max: 10n ** 25n });
  fc.assert(
    fc.property(reserve, fc.bigInt({ min: 1n, max: 10n ** 6n }), (coin, cents) => {
      const dollars = (coin * cents) / 10n ** 14n;
      const { bids, asks } = readOrderBook(JSON.stringify({ lastUpdateId: 1, ...buildOrderBook(coin, dollars) }), 100);
      const chunk = coin / 200n;
      const sold = dollars - (coin * dollars) / (coin + chunk); // dollars bought by the first chunk, before the fee
      const bid = (scaled(bids[0]![0]) * chunk) / 10n ** 30n;
      return bids.length > 0 && asks.length === 60 && bid <= sold && bid * 1_000n >= sold * 990n - 10_000n;
    }),
  );
  t.pass();
});

test('an order book that has not changed for an hour is stale, also if it was just read', (t) => {
  const text = (lastUpdateId: number) => JSON.stringify({ lastUpdateId, bids: [['1.0', '5']], asks: [['1.1', '5']] });
  const book = readOrderBook(text(7), 10);
  t.true(isSameBook(book, readOrderBook(text(7), 10)));
  t.false(isSameBook(book, readOrderBook(text(8), 10)), 'it changed, although its levels are equal');
  const isStale = (changedAtMs: number) => {
    const venues = { getFeed: () => ({ book, readAtMs: Date.now(), changedAtMs, fault: undefined }) };
    const deps = { venues, settings: { markets: { depthCap: 10, staleSeconds: 60 } } } as unknown as FeedDeps;
    return venueSummary(deps, { createdMs: 0 } as Venue).stale;
  };
  t.false(isStale(Date.now() - 3_500_000));
  t.true(isStale(Date.now() - 3_700_000));
});
