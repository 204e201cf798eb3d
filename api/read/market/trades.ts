/** All prices and volumes come from here. */
import { known } from '#runtime/known.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { TimeDeps } from '../reader-deps.ts';
import { type PoolDeps, readPools } from './pools.ts';

export interface TradeFigures {
  /** Bucket start, Unix seconds. */
  readonly time: number;
  readonly pool: string;
  readonly trades: number;
  readonly outliers: number;
  readonly dust: number;
  /** While the pool held less than PriceSettings.minLiquidity. */
  readonly illiquid: number;
  /** Wei. */
  readonly base: bigint;
  /** Dollar volume, 18 decimals. */
  readonly quote: bigint;
  /** Dollars per coin, 18 decimals. */
  readonly median: bigint;
  readonly lastBlock: number;
  readonly lastTime: number;
}

interface TradeWindow {
  /** Unix seconds, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucketSeconds: number;
  /** For the median of outliers, s. */
  readonly judgeSeconds: number;
}

export interface TradeDeps extends PoolDeps, TimeDeps {}

/** Beyond any timestamp, s: one bucket that starts at 0. */
export const oneBucket = 4_294_967_295;

/** Oldest first; buckets and pools without a swap have none. */
export async function readTrades(deps: TradeDeps, state: ChainState, window: TradeWindow): Promise<TradeFigures[]> {
  const { database, settings } = deps;
  const pools = (await readPools(deps, state)).filter(({ refusal }) => refusal !== 'decimals_unknown');
  if (pools.length === 0) return [];
  const first = await deps.blockTimes.blockAt(state, window.from);
  if (first === undefined) return [];
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
