import { known } from '#runtime/known.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { fixedSeconds } from '../../terms/buckets.ts';
import { assertFirstBlocks } from '../chain/freshness.ts';
import type { TimeDeps } from '../reader-deps.ts';
import { isPriced, type PoolDeps, readPricedPools } from './pools.ts';

export interface TradeFigures {
  /** Start of the bucket, Unix seconds. */
  readonly time: number;
  readonly pool: string;
  readonly trades: number;
  readonly outliers: number;
  readonly dust: number;
  readonly illiquid: number;
  /** Wei. */
  readonly base: bigint;
  /** Dollars times 10^18. */
  readonly quote: bigint;
  /** Dollars per coin, times 10^18. */
  readonly median: bigint;
  readonly lastBlock: number;
  readonly lastTime: number;
}

interface TradeWindow {
  /** Unix seconds, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucketSeconds: number;
  /** The median of each range of this length decides which trades are outliers, s. */
  readonly judgeSeconds: number;
}

export interface TradeDeps extends PoolDeps, TimeDeps {}

/** Puts all trades into one bucket, which starts at 0. */
export const oneBucket = 4_294_967_295;

/** Returns whether all trades are known. Without pools or the first blocks, an empty list of trades proves nothing. */
export async function knowsTrades(deps: TradeDeps, state: ChainState): Promise<boolean> {
  const pools = await readPricedPools(deps, state);
  return state.startBlock === 0 && pools.length > 0 && pools.every(({ quote }) => isPriced(quote.decimals));
}

/**
 * Sums trades by pool and time bucket, oldest first, without empty buckets.
 * @throws ApiProblem bad_query with pools and `START_BLOCK`: the reserves at each trade are unknown
 */
export async function readTrades(deps: TradeDeps, state: ChainState, window: TradeWindow): Promise<TradeFigures[]> {
  const { database, settings } = deps;
  // the block of a full hour is cached once final, so windows that begin in the same hour share it
  const hour = window.from - (window.from % fixedSeconds.hour);
  const [all, first] = await Promise.all([readPricedPools(deps, state), deps.blockTimes.blockAt(state, hour)]);
  const pools = all.filter(({ quote }) => isPriced(quote.decimals));
  if (pools.length === 0 || first === undefined) return [];
  assertFirstBlocks(state, 'reserves of liquidity pools, and so prices,');
  const reserveBlock = Math.min(state.rollupThrough, first - (first % rollupWindowBlocks));
  const rows = await database.read('trade_buckets', {
    ...snapshotParameters(state),
    pools: pools.map(({ address }) => address.slice(2)),
    base_sides: pools.map(({ baseSide }) => baseSide),
    quote_decimals: pools.map(({ quote }) => known(quote.decimals, 'the decimals of a dollar')),
    quote_tokens: pools.map(({ quote }) => quote.address.slice(2)),
    min_liquidity: (BigInt(settings.price.minLiquidity) * 10n ** 18n).toString(),
    era_blocks: rollupWindowBlocks,
    reserve_block: reserveBlock,
    from_block: first,
    from_time: window.from,
    to_time: window.to,
    bucket_seconds: window.bucketSeconds,
    judge_seconds: window.judgeSeconds,
    min_quote: settings.price.minTrade.toString(),
    outlier_percent: settings.price.outlierPercent,
  });
  return rows.map((row) => ({
    time: row.time,
    pool: row.pool_hex,
    trades: Number(row.trade_count),
    outliers: Number(row.outlier_count),
    dust: Number(row.dust_count),
    illiquid: Number(row.illiquid_count),
    base: BigInt(row.base_sum),
    quote: BigInt(row.quote_sum),
    median: BigInt(row.median_price),
    lastBlock: Number(row.last_block),
    lastTime: row.last_time,
  }));
}
