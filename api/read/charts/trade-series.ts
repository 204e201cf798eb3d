/** Excludes trades far from the median of their day for all bucket lengths, so that hours add up to their day. */
import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart, fixedSeconds, isFixed, nextBucket, type Resolution } from '../../terms/buckets.ts';
import { readTrades, type TradeDeps } from '../market/trades.ts';

export interface TradeSum {
  readonly trades: number;
  /** Traded coins, wei. */
  readonly base: bigint;
  /** Dollars times 10^18. */
  readonly quote: bigint;
}

type TradeSeries = ReadonlyMap<number, TradeSum>;

export async function readTradeSeries(
  deps: TradeDeps,
  state: ChainState,
  resolution: Resolution,
  from: number,
  to: number,
): Promise<TradeSeries> {
  const judgeSeconds = fixedSeconds.day;
  const bucketSeconds = isFixed(resolution) ? fixedSeconds[resolution] : judgeSeconds;
  const last = nextBucket(resolution, to) - 1;
  const window = { from: bucketStart('day', from), to: nextBucket('day', bucketStart('day', last)) - 1 };
  const series = new Map<number, TradeSum>();
  for (const row of await readTrades(deps, state, { ...window, bucketSeconds, judgeSeconds })) {
    const time = bucketStart(resolution, row.time);
    if (row.trades === 0 || time < from || time > to) continue;
    const sum = series.get(time) ?? { trades: 0, base: 0n, quote: 0n };
    series.set(time, {
      trades: sum.trades + row.trades,
      base: sum.base + row.base,
      quote: sum.quote + row.quote,
    });
  }
  return series;
}
