import { zeroAddress } from '#chain/codec/hex.ts';
import { type CoinPriceDeps, readCoinPrice } from './recent-price.ts';

/**
 * Returns dollars per whole token by address, lower case: 1 for stablecoins (STABLECOINS), the market price for the
 * coin (zero address) and its wrapped token. The price is at most a minute old; an unknown or stale price is omitted.
 */
export async function readDollarPrices(deps: CoinPriceDeps): Promise<ReadonlyMap<string, number>> {
  const { dollars, wrapped } = deps.settings.price;
  const stablecoins = dollars.map((token) => [token, 1] as const);
  const price = await readCoinPrice(deps);
  const coins =
    price === undefined ? [] : [zeroAddress, wrapped ?? zeroAddress].map((token) => [token, price] as const);
  return new Map([...coins, ...stablecoins]);
}
