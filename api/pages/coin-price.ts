import { anywhere, Cache } from '../cache/cache.ts';
import { perDatabase } from '../cache/per-database.ts';
import { type CurrentPrice, type PriceDeps, readPrice } from '../read/market/price.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';
import { ignoreProblem } from './ask.ts';

const cacheOf = perDatabase(() => new Cache<number>('coin_price'));

export type CoinPriceDeps = PriceDeps & SnapshotDeps;

/** Returns dollars per coin, at most a minute old; undefined without recent trades. */
export async function readCoinPrice(deps: CoinPriceDeps): Promise<number | undefined> {
  const cache = cacheOf(deps.database);
  const known = cache.get('', anywhere);
  if (known !== undefined) return known;
  const price = await deps.snapshots
    .run((state) => readPrice(deps, state))
    .then(asNumber)
    .catch(ignoreProblem);
  if (price !== undefined) cache.set('', anywhere, price);
  return price;
}

const asNumber = ({ price, stale }: CurrentPrice) => (price === null || stale ? undefined : Number(price));
