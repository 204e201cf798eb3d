import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { ratio } from '../../read/charts/decimals.ts';
import { type Pool, readPools } from '../../read/market/pools.ts';
import { type CurrentPrice, computePrice, dollars, type PriceDeps, readPrice } from '../../read/market/price.ts';
import type { QueryTurns } from '../../read/query/query-turns.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, IndexInfo, IsoTime, integerFrom, UnixSeconds, Wei } from '../../terms/primitives.ts';

const Decimal = z.string().regex(/^\d+(\.\d+)?$/);

const PricePool = z
  .strictObject({
    address: HexAddress,
    kind: z.enum(['v2', 'v3']).nullable().meta({
      description:
        'Version of the pool contract, according to the factory event that created the pool; null for a pool from the configuration',
    }),
    factory: HexAddress.nullable(),
    token0: HexAddress,
    token1: HexAddress,
    quoteToken: z.strictObject({ address: HexAddress, symbol: z.string().nullable(), decimals: Count.nullable() }),
    counted: z
      .boolean()
      .meta({ description: 'true if the price includes trades of this pool, or would include a trade made now' }),
    refusal: z.enum(['decimals_unknown', 'liquidity_too_low']).nullable().meta({
      description:
        'Reason why the price would not include a trade made now in this pool; null if the price would include it',
    }),
    liquidity: z.strictObject({ base: Wei, quote: Decimal.nullable() }),
    price: Decimal.nullable(),
    weight: Decimal.nullable().meta({ description: 'Share of this pool in the volume of all pools, 0 to 1' }),
    volume: z.strictObject({ base: Wei, quote: Decimal }),
    trades: Count,
    outliers: Count.meta({
      description: 'Number of trades left out because their price differs too much from the median price',
    }),
    dust: Count.meta({
      description: 'Number of trades left out because their value is below rule.minTrade',
    }),
    illiquid: Count.meta({
      description: 'Number of trades left out because the pool held less than rule.minLiquidity',
    }),
    lastTradeBlock: Count.nullable(),
  })
  .meta({ id: 'PricePool' });

export const PriceReply = z
  .strictObject({
    price: Decimal.nullable().meta({
      description: 'Price of one FAT (the native coin), USD; null (never 0) if there were no trades',
    }),
    quote: z.literal('USD').meta({ description: 'Quote currency; each configured stablecoin counts as one dollar' }),
    source: z.literal('dex_vwap'),
    window: z.strictObject({ seconds: Count, from: UnixSeconds, to: UnixSeconds }),
    volume: z.strictObject({ base: Wei, quote: Decimal, trades: Count }),
    leftOut: z.strictObject({
      outliers: Count.meta({
        description: 'Number of trades left out because their price differs too much from the median price',
      }),
      dust: Count.meta({
        description: 'Number of trades left out because their value is below rule.minTrade',
      }),
      illiquid: Count,
    }),
    median: Decimal.nullable().meta({
      description:
        'Median of one price, USD, per pool and block with trades. The price leaves out trades too far from this median (rule.outlierPercent)',
    }),
    rule: z.strictObject({
      minLiquidity: Count.meta({
        description:
          'Minimum liquidity of a pool before and after a trade, USD; trades in pools with less are left out',
      }),
      minTrade: Decimal.meta({
        description: 'Smallest trade that the price includes, USD; the field dust counts smaller trades',
      }),
      outlierPercent: Count.meta({
        description: 'Maximum distance of a trade price from the median, percent; other trades are left out',
      }),
    }),
    pools: z.array(PricePool),
    lastTrade: z.strictObject({ block: Count, timestamp: UnixSeconds, datetime: IsoTime }).nullable(),
    stale: z
      .boolean()
      .meta({ description: 'true if the price is old: there was no recent trade, or the index is behind the chain' }),
    blockNumber: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    index: IndexInfo,
  })
  .meta({ id: 'Price' });

const WindowSeconds = z
  .string()
  .regex(/^\d{1,8}$/, 'must be an integer number of seconds')
  .transform(Number)
  .refine((seconds) => seconds >= 60 && seconds <= 31_622_400, 'must be seconds between 60 and 31622400')
  .meta({
    ...integerFrom(60, 31_622_400),
    description:
      'Length of the time window that ends at the newest block, seconds, 60 to 31622400 (default: the configured length)',
    example: '86400',
  });

/** @source docs/economy.md#price-apiv1nativefatprice */
export const getPrice = defineRoute({
  id: 'getPrice',
  base: '/api/v1',
  path: '/nativefat/price',
  methods: ['get'],
  tag: 'markets',
  summary: 'Price of FAT, the native coin (canonical price)',
  description: 'The price is the volume-weighted average of trades on decentralized exchanges.',
  params: z.object({}),
  query: z.object({ window: WindowSeconds.optional() }),
  response: PriceReply,
  errors: ['bad_query', 'indexing', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/nativefat/price',
  handle: async (deps: RouteDeps, { query: { window }, caller, address, charge }) => {
    const read = (state: ChainState) => readPriceReply(deps, state, window);
    if (window === undefined || window <= shortWindowSeconds) return deps.snapshots.run(read);
    if (!(await charge(Math.floor(window / secondsPerPoint))))
      throw new ApiProblem('rate_limited', 'too many requests');
    return deps.queryTurns.runExpensive({ caller, address }, () => deps.snapshots.run(read, { isExpensive: true }));
  },
});

interface RouteDeps extends SnapshotDeps, PriceDeps {
  readonly queryTurns: QueryTurns;
}

/**
 * Longest window without a queue. A longer one waits for other expensive queries, because it reads all trades of its
 * days.
 */
const shortWindowSeconds = 2 * 86_400;
/** Window length that costs as much as one request. */
const secondsPerPoint = 7 * 86_400;

/** Reads the price and its pools. @param windowSeconds default: the configured length */
export async function readPriceReply(deps: PriceDeps, state: ChainState, windowSeconds?: number) {
  const [price, pools] = await Promise.all([readPrice(deps, state, windowSeconds), readPools(deps, state)]);
  return { ...toReply(deps, price, pools), blockNumber: state.head, index: indexInfo(deps, state) };
}

function toReply({ settings }: Pick<PriceDeps, 'settings'>, price: CurrentPrice, pools: readonly Pool[]) {
  const { minLiquidity, minTrade, outlierPercent } = settings.price;
  const sum = (name: 'trades' | 'outliers' | 'dust' | 'illiquid') =>
    price.traded.reduce((total, traded) => total + traded[name], 0);
  return {
    price: price.price,
    quote: 'USD' as const,
    source: 'dex_vwap' as const,
    window: { seconds: price.to - price.from + 1, from: price.from, to: price.to },
    volume: { base: price.baseVolume.toString(), quote: dollars(price.quoteVolume), trades: sum('trades') },
    leftOut: { outliers: sum('outliers'), dust: sum('dust'), illiquid: sum('illiquid') },
    median: price.median === null ? null : dollars(price.median),
    rule: { minLiquidity, minTrade: dollars(minTrade), outlierPercent },
    pools: pools.map((pool) => poolReply(pool, price)),
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

function poolReply(pool: Pool, { quoteVolume, traded: all }: CurrentPrice): z.input<typeof PricePool> {
  const { address, factory, token0, token1, quote, refusal } = pool;
  const traded = all.find((row) => row.pool === address);
  const isCounted = traded !== undefined && traded.trades > 0;
  return {
    address,
    factory,
    token0,
    token1,
    refusal,
    kind: pool.kind as 'v2' | 'v3' | null,
    quoteToken: { ...quote },
    counted: isCounted || refusal === null,
    liquidity: {
      base: pool.baseReserve.toString(),
      quote: quote.decimals === null ? null : ratio(pool.quoteReserve, 10n ** BigInt(quote.decimals), quote.decimals),
    },
    price: isCounted ? computePrice(traded.quote, traded.base) : null,
    weight: isCounted ? ratio(traded.quote, quoteVolume, 6) : null,
    volume: { base: String(traded?.base ?? 0n), quote: dollars(traded?.quote ?? 0n) },
    trades: traded?.trades ?? 0,
    outliers: traded?.outliers ?? 0,
    dust: traded?.dust ?? 0,
    illiquid: traded?.illiquid ?? 0,
    lastTradeBlock: traded && traded.trades > 0 ? traded.lastBlock : null,
  };
}
