import { zeroAddress } from '#chain/codec/hex.ts';
import { type CoinPriceDeps, readCoinPrice } from './recent-price.ts';

/**
 * Returns dollars per whole token by address, lower case: 1 for each stablecoin (STABLECOINS), the market price of the last minute for
 * the coin (zero address) and its wrapped token. The coin is missing while its price is unknown or stale.
 */
export async function readDollarPrices(deps: CoinPriceDeps): Promise<ReadonlyMap<string, number>> {
  const { dollars, wrapped } = deps.settings.price;
  const stablecoins = dollars.map((token) => [token, 1] as const);
  const price = await readCoinPrice(deps);
  const coins =
    price === undefined ? [] : [zeroAddress, wrapped ?? zeroAddress].map((token) => [token, price] as const);
  return new Map([...coins, ...stablecoins]);
}
