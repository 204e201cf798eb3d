import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { readTradeSeries } from '../charts/trade-series.ts';
import { computePrice } from './price.ts';
import type { TradeDeps } from './trades.ts';

/**
 * Returns dollar prices of the coin by start of day, for finished days with trades.
 * @param from, to Unix seconds
 * @param now time of the newest block
 */
export async function readDayPrices(
  deps: TradeDeps,
  state: ChainState,
  { from, to, now }: { from: number; to: number; now: number },
): Promise<Map<number, string>> {
  const today = bucketStart('day', now);
  const last = Math.min(to, today - 1);
  const prices = new Map<number, string>();
  if (last < from) return prices;
  for (const [time, { quote, base }] of await readTradeSeries(deps, state, 'day', bucketStart('day', from), last)) {
    const price = computePrice(quote, base);
    if (price !== null && time < today) prices.set(time, price);
  }
  return prices;
}
