import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { ratio } from '../../read/charts/decimals.ts';
import { dollars, type Price, type PriceDeps, priceOf, readPrice } from '../../read/market/price.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { Count, HexAddress, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../terms/primitives.ts';

const Decimal = z.string().regex(/^\d+(\.\d+)?$/);

const PricePool = z
  .strictObject({
    address: HexAddress,
    kind: z.enum(['v2', 'v3']).nullable().meta({ description: 'By the event of its factory; null for a named pool' }),
    factory: HexAddress.nullable(),
    token0: HexAddress,
    token1: HexAddress,
    quoteToken: z.strictObject({ address: HexAddress, symbol: z.string().nullable(), decimals: Count.nullable() }),
    counted: z.boolean().meta({ description: 'Trades of the window count, or one made now would' }),
    refusal: z
      .enum(['decimals_unknown', 'liquidity_too_low'])
      .nullable()
      .meta({ description: 'Why a trade made now would not count' }),
    liquidity: z.strictObject({ base: Wei, quote: Decimal.nullable() }),
    price: Decimal.nullable(),
    weight: Decimal.nullable().meta({ description: 'Share of the volume, 0 to 1' }),
    volume: z.strictObject({ base: Wei, quote: Decimal }),
    trades: Count,
    outliers: Count,
    dust: Count,
    illiquid: Count.meta({ description: 'Trades made while the pool held less than rule.minLiquidity' }),
    lastTradeBlock: Count.nullable(),
  })
  .meta({ id: 'PricePool' });

export const PriceReply = z
  .strictObject({
    price: Decimal.nullable().meta({ description: 'Dollars for one FAT; null without trades, never 0' }),
    quote: z.literal('USD').meta({ description: 'A stablecoin of the configuration counts as one dollar' }),
    source: z.literal('dex_vwap'),
    window: z.strictObject({ seconds: Count, from: UnixSeconds, to: UnixSeconds }),
    volume: z.strictObject({ base: Wei, quote: Decimal, trades: Count }),
    leftOut: z.strictObject({ outliers: Count, dust: Count, illiquid: Count }),
    median: Decimal.nullable().meta({ description: 'Median of the prices of blocks, a block of a pool counted once' }),
    rule: z.strictObject({
      minLiquidity: Count.meta({ description: 'Whole dollars that a pool must hold before and after a trade' }),
      minTrade: Decimal.meta({ description: 'Dollars; less is dust' }),
      outlierPercent: Count.meta({ description: 'Trades further than this from the median are left out' }),
    }),
    pools: z.array(PricePool),
    lastTrade: z.strictObject({ block: Count, timestamp: UnixSeconds, datetime: IsoTime }).nullable(),
    stale: z.boolean().meta({ description: 'No trade for a while, or the index is not at the head' }),
    blockNumber: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    index: IndexInfo,
  })
  .meta({ id: 'Price' });

const WindowSeconds = z
  .string()
  .regex(/^\d{1,8}$/, 'must be seconds: a whole number')
  .transform(Number)
  .refine((seconds) => seconds >= 60 && seconds <= 31_622_400, 'must be seconds between 60 and 31622400')
  .meta({ description: 'Seconds back from the head; absent: as configured', example: '86400' });

/** @source specification 4.2: volume-weighted average from the decentralised exchange */
export const getPrice = defineRoute({
  id: 'getPrice',
  base: '/api/v1',
  path: '/nativefat/price',
  methods: ['get'],
  tag: 'markets',
  summary: 'Canonical price of FAT: volume-weighted average of the trades of the decentralised exchange',
  section: '4.2',
  params: z.object({}),
  query: z.object({ window: WindowSeconds.optional() }),
  response: PriceReply,
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/nativefat/price',
  handle: (deps: SnapshotDeps & PriceDeps, { query }) =>
    deps.snapshots.run(async (state) => {
      const price = await readPrice(deps, state, query.window);
      return { ...priceReply(deps, price), blockNumber: state.head, index: indexInfo(deps, state) };
    }),
});

/** The price as replies show it, without the block. */
export function priceReply({ settings }: Pick<PriceDeps, 'settings'>, price: Price) {
  const { minLiquidity, minTrade, outlierPercent } = settings.price;
  const sum = (name: 'trades' | 'outliers' | 'dust' | 'illiquid') =>
    price.pools.reduce((total, { traded }) => total + (traded?.[name] ?? 0), 0);
  return {
    price: price.price,
    quote: 'USD' as const,
    source: 'dex_vwap' as const,
    window: { seconds: price.to - price.from + 1, from: price.from, to: price.to },
    volume: { base: price.baseVolume.toString(), quote: dollars(price.quoteVolume), trades: sum('trades') },
    leftOut: { outliers: sum('outliers'), dust: sum('dust'), illiquid: sum('illiquid') },
    median: price.median === null ? null : dollars(price.median),
    rule: { minLiquidity, minTrade: dollars(minTrade), outlierPercent },
    pools: price.pools.map((pool) => poolReply(pool, price)),
    lastTrade: price.last && {
      block: price.last.block,
      timestamp: price.last.time,
      datetime: isoTime(price.last.time),
    },
    stale: price.stale,
    timestamp: price.to,
    datetime: isoTime(price.to),
  };
}

function poolReply(pool: Price['pools'][number], { quoteVolume }: Price): z.input<typeof PricePool> {
  const { address, factory, token0, token1, quote, refusal, traded } = pool;
  const counts = traded !== undefined && traded.trades > 0;
  return {
    address,
    factory,
    token0,
    token1,
    refusal,
    kind: pool.kind as 'v2' | 'v3' | null,
    quoteToken: { ...quote },
    counted: counts || refusal === null,
    liquidity: {
      base: pool.baseReserve.toString(),
      quote: quote.decimals === null ? null : ratio(pool.quoteReserve, 10n ** BigInt(quote.decimals), quote.decimals),
    },
    price: counts ? priceOf(traded.quote, traded.base) : null,
    weight: counts ? ratio(traded.quote, quoteVolume, 6) : null,
    volume: { base: String(traded?.base ?? 0n), quote: dollars(traded?.quote ?? 0n) },
    trades: traded?.trades ?? 0,
    outliers: traded?.outliers ?? 0,
    dust: traded?.dust ?? 0,
    illiquid: traded?.illiquid ?? 0,
    lastTradeBlock: traded?.lastBlock ?? null,
  };
}
