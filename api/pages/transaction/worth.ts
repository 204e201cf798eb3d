import { Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { type Html, html } from '../../drawing/html.ts';
import { type CoinPriceDeps, readCoinPrice } from '../../read/market/recent-price.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { ignoreProblem } from '../ask.ts';
import { dollars } from '../parts/number.ts';
import { unpinned } from '../pinned-snapshots.ts';
import { type ChartDeps, recentChart } from '../recent-charts.ts';

/** Dollars per coin; undefined: no trades set a price, or the day is not over. */
export interface Worth {
  readonly onDay: number | undefined;
  readonly now: number | undefined;
}

const getCache = perDatabase(() => new Cache<number | undefined>('day_prices'));

/** Reads the price of the coin on the day of a transaction and now. @param time Unix seconds @param now Unix seconds */
export async function readWorth(deps: ChartDeps & CoinPriceDeps, time: number, now: number): Promise<Worth> {
  const isToday = bucketStart('day', time) === bucketStart('day', now);
  const [onDay, current] = await Promise.all([
    isToday ? undefined : priceOfDay(deps, time),
    readCoinPrice(unpinned(deps)),
  ]);
  return { onDay, now: current };
}

async function priceOfDay(deps: ChartDeps, time: number): Promise<number | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return undefined;
  const cache = getCache(deps.database);
  const day = String(bucketStart('day', time));
  const known = cache.get(day, state);
  if (known !== undefined) return known;
  const chart = await recentChart(deps, 'fatPrice', { resolution: 'day', from: day, to: day }).catch(ignoreProblem);
  const point = chart?.points.at(-1);
  if (!point || point.value === null) return undefined;
  const price = Number(point.value);
  if (!point.partial && chart?.index.complete) cache.set(day, state, price);
  return price;
}

/** Shows what an amount was and is worth in dollars. @param wei decimal */
export function worthView(worth: Worth | undefined, wei: string): Html | false {
  if (!worth || (worth.onDay === undefined && worth.now === undefined)) return false;
  const coins = Number(wei) / 1e18;
  const onDay = worth.onDay !== undefined && html`${dollars(coins * worth.onDay)} that day`;
  const now = worth.now !== undefined && html`${dollars(coins * worth.now)} now`;
  return html` <span class="muted">${onDay}${onDay && now && ', '}${now}</span>`;
}
