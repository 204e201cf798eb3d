import { anywhere, Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { SnapshotDeps } from '../reader-deps.ts';
import { type CurrentPrice, type PriceDeps, readPrice } from './price.ts';

const cacheOf = perDatabase(() => new Cache<string>('coin_price'));

export type CoinPriceDeps = PriceDeps & SnapshotDeps;

/** Returns dollars per coin, decimal, at most a minute old; undefined without recent trades. */
export async function readRecentPrice(deps: CoinPriceDeps): Promise<string | undefined> {
  const cache = cacheOf(deps.database);
  const known = cache.get('', anywhere);
  if (known !== undefined) return known;
  const price = await deps.snapshots
    .run((state) => readPrice(deps, state))
    .then(unlessStale)
    .catch((error: unknown) => {
      if (error instanceof ApiProblem) return undefined;
      throw error;
    });
  if (price !== undefined) cache.set('', anywhere, price);
  return price;
}

/** As `readRecentPrice`, for amounts on pages. */
export async function readCoinPrice(deps: CoinPriceDeps): Promise<number | undefined> {
  const price = await readRecentPrice(deps);
  return price === undefined ? undefined : Number(price);
}

const unlessStale = ({ price, stale }: CurrentPrice) => (price === null || stale ? undefined : price);
