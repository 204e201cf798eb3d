import type { Database } from '#sql/client.ts';
import { Cache } from '../../cache/cache.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { ignoreProblem } from '../ask.ts';
import { type Html, html } from '../html.ts';
import { dollars } from '../parts/number.ts';
import { type ChartDeps, recentChart } from '../recent-charts.ts';

/** Dollars per coin; undefined: no trades set a price on that day, or both days are the same. */
export interface Worth {
  readonly onDay: number | undefined;
  readonly today: number | undefined;
}

const caches = new WeakMap<Database, Cache<number | undefined>>();

/** Reads the price of the coin on the day of a transaction and today. @param time Unix seconds @param now Unix seconds */
export async function readWorth(deps: ChartDeps, time: number, now: number): Promise<Worth> {
  const isToday = bucketStart('day', time) === bucketStart('day', now);
  const [onDay, today] = await Promise.all([isToday ? undefined : priceOfDay(deps, time), priceOfDay(deps, now)]);
  return { onDay, today };
}

async function priceOfDay(deps: ChartDeps, time: number): Promise<number | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return undefined;
  const cache = caches.get(deps.database) ?? new Cache<number | undefined>('day_prices');
  caches.set(deps.database, cache);
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
  if (!worth || (worth.onDay === undefined && worth.today === undefined)) return false;
  const coins = Number(wei) / 1e18;
  const onDay = worth.onDay !== undefined && html`${dollars(coins * worth.onDay)} that day`;
  const today = worth.today !== undefined && html`${dollars(coins * worth.today)} today`;
  return html` <span class="muted">${onDay}${onDay && today && ', '}${today}</span>`;
}
