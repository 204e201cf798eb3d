import { zeroAddress } from '#chain/codec/hex.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type PriceDeps, readPrice } from './price.ts';

/**
 * Returns dollars per whole token by address, lower case: 1 for each stablecoin (STABLECOINS), the present market price for the coin
 * (zero address) and its wrapped token. The coin is missing while its price is unknown or stale.
 */
export async function readDollarPrices(deps: PriceDeps, state: ChainState): Promise<ReadonlyMap<string, number>> {
  const { dollars, wrapped } = deps.settings.price;
  const stablecoins = dollars.map((token) => [token, 1] as const);
  const { price, stale } = await readPrice(deps, state);
  const coins = price === null || stale ? [] : [zeroAddress, wrapped ?? zeroAddress];
  return new Map([...coins.map((token) => [token, Number(price)] as const), ...stablecoins]);
}
