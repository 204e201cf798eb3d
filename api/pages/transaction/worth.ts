import type { ChainState } from '#sql/snapshot.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { type Html, html } from '../../drawing/html.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { readDayPrices } from '../../read/market/day-prices.ts';
import { type CoinPriceDeps, readCoinPrice } from '../../read/market/recent-price.ts';
import { knowsTrades, type TradeDeps } from '../../read/market/trades.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { ignoreProblem } from '../ask.ts';
import { dollars } from '../parts/number.ts';
import { unpinned } from '../pinned-snapshots.ts';

/** Dollars per coin; undefined: no trades set a price, or the day has not ended. */
export interface Worth {
  readonly onDay: number | undefined;
  readonly now: number | undefined;
}

type DayDeps = SnapshotDeps & CoverageDeps & TradeDeps;

const getCache = perDatabase(() => new Cache<number | null>('day_prices'));
/** Shares reads of days whose price may still change. */
const getRecentCache = perDatabase(() => new Cache<PriceOfDay>('recent_day_prices'));

/**
 * Reads the price of the coin on the day of a transaction and at present. @param time Unix seconds @param now Unix
 * seconds
 */
export async function readWorth(deps: DayDeps & CoinPriceDeps, time: number, now: number): Promise<Worth> {
  const isToday = bucketStart('day', time) === bucketStart('day', now);
  const [onDay, current] = await Promise.all([
    isToday ? undefined : priceOfDay(deps, time),
    readCoinPrice(unpinned(deps)),
  ]);
  return { onDay, now: current };
}

async function priceOfDay(deps: DayDeps, time: number): Promise<number | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return undefined;
  const cache = getCache(deps.database);
  const day = bucketStart('day', time);
  const known = cache.get(String(day), state);
  if (known !== undefined) return known ?? undefined;
  const { price, isCertain } = await getRecentCache(deps.database).of(String(day), anywhere, () =>
    readDay(deps, state, day),
  );
  if (isCertain) cache.set(String(day), state, price);
  return price ?? undefined;
}

interface PriceOfDay {
  /** null: no trades, or unknown. */
  readonly price: number | null;
  /** Whether the price of this day is final. */
  readonly isCertain: boolean;
}

async function readDay(deps: DayDeps, state: ChainState, day: number): Promise<PriceOfDay> {
  const now = await deps.blockTimes.head(state);
  const prices = await readDayPrices(deps, state, { from: day, to: day, now }).catch(ignoreProblem);
  if (!prices) return { price: null, isCertain: false };
  const found = prices.get(day);
  const isOver = indexInfo(deps, state).complete && day < bucketStart('day', now);
  const isCertain = isOver && (found !== undefined || (await knowsTrades(deps, state)));
  return { price: found === undefined ? null : Number(found), isCertain };
}

/** Shows the dollar value of an amount then and at present. @param wei decimal */
export function worthView(worth: Worth | undefined, wei: string): Html | false {
  if (!worth || (worth.onDay === undefined && worth.now === undefined)) return false;
  const coins = Number(wei) / 1e18;
  const onDay = worth.onDay !== undefined && html`${dollars(coins * worth.onDay)} that day`;
  const now = worth.now !== undefined && html`${dollars(coins * worth.now)} now`;
  return html` <span class="muted">${onDay}${onDay && now && ', '}${now}</span>`;
}
