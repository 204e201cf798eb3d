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

/** Reads the price of the coin on the day of a transaction and today. @param time Unix seconds @param now Unix seconds */
export async function readWorth(deps: ChartDeps, time: number, now: number): Promise<Worth> {
  const isToday = bucketStart('day', time) === bucketStart('day', now);
  const [onDay, today] = await Promise.all([isToday ? undefined : priceOfDay(deps, time), priceOfDay(deps, now)]);
  return { onDay, today };
}

async function priceOfDay(deps: ChartDeps, time: number): Promise<number | undefined> {
  const day = String(bucketStart('day', time));
  const chart = await recentChart(deps, 'fatPrice', { resolution: 'day', from: day, to: day }).catch(ignoreProblem);
  const value = chart?.points.at(-1)?.value ?? null;
  return value === null ? undefined : Number(value);
}

/** Shows what an amount was and is worth in dollars. @param wei decimal */
export function worthView(worth: Worth | undefined, wei: string): Html | false {
  if (!worth || (worth.onDay === undefined && worth.today === undefined)) return false;
  const coins = Number(wei) / 1e18;
  const onDay = worth.onDay !== undefined && html`${dollars(coins * worth.onDay)} that day`;
  const today = worth.today !== undefined && html`${dollars(coins * worth.today)} today`;
  return html` <span class="muted">${onDay}${onDay && today && ', '}${today}</span>`;
}
