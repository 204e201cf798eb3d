import { anywhere, Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { orUnknown } from '../../terms/errors.ts';
import type { SnapshotDeps } from '../reader-deps.ts';
import { type PriceDeps, readPrice } from './price.ts';

const getCache = perDatabase(() => new Cache<string>('coin_price'));

export type CoinPriceDeps = PriceDeps & SnapshotDeps;

/** Returns dollars per coin, decimal, at most a minute old; undefined if unknown or stale. */
export async function readRecentPrice(deps: CoinPriceDeps): Promise<string | undefined> {
  const cache = getCache(deps.database);
  const known = cache.get('', anywhere);
  if (known !== undefined) return known;
  const current = await orUnknown(deps.snapshots.run((state) => readPrice(deps, state)));
  if (!current || current.price === null || current.stale) return undefined;
  cache.set('', anywhere, current.price);
  return current.price;
}

/** As readRecentPrice, as a number for pages. */
export async function readCoinPrice(deps: CoinPriceDeps): Promise<number | undefined> {
  const price = await readRecentPrice(deps);
  return price === undefined ? undefined : Number(price);
}
