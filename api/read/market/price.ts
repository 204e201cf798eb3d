/**
 * Price of the native coin: the volume-weighted average of trades in liquidity pools.
 * @source docs/economy.md#price-apiv1nativefatprice
 */
import type { ChainState } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import { indexInfo } from '../chain/freshness.ts';
import { quotient, ratio } from '../charts/decimals.ts';
import type { CoverageDeps, NodeDeps } from '../reader-deps.ts';
import { oneBucket, readTrades, type TradeDeps, type TradeFigures } from './trades.ts';

const priceDigits = 12;
export const computePrice = (quote: bigint, base: bigint) => ratio(quote, base, priceDigits);
export const dollars = (quote: bigint) => quotient(quote, 10n ** 18n, 18);

export interface Price {
  /** Dollars per coin; null: no trades. */
  readonly price: string | null;
  readonly quoteVolume: bigint;
  readonly baseVolume: bigint;
  /** By pool; only pools with trades in the window. */
  readonly traded: readonly TradeFigures[];
  readonly median: bigint | null;
  readonly from: number;
  readonly to: number;
  readonly last: { readonly block: number; readonly time: number } | null;
}

export type CurrentPrice = Price & { readonly stale: boolean };

export interface PriceDeps extends TradeDeps, NodeDeps {
  readonly prices: Cache<Price>;
  readonly settings: TradeDeps['settings'] & CoverageDeps['settings'];
}

/**
 * Caches the price until the index changes. `stale` is computed at each call, because the chain or its nodes may stop.
 */
export async function readPrice(
  deps: PriceDeps,
  state: ChainState,
  windowSeconds = deps.settings.price.windowSeconds,
): Promise<CurrentPrice> {
  const price = await deps.prices.of(String(windowSeconds), state, () => compute(deps, state, windowSeconds));
  const { last, to } = price;
  const now = to + Math.max(0, Date.now() - state.updatedAtMs) / 1_000; // estimated block time at present
  const isOld = !last || now - last.time > deps.settings.price.staleSeconds;
  return { ...price, stale: isOld || !indexInfo(deps, state).complete };
}

/** As readPrice; undefined with `START_BLOCK`, because pool reserves are then unknown. */
export const readKnownPrice = async (deps: PriceDeps, state: ChainState): Promise<CurrentPrice | undefined> =>
  state.startBlock > 0 ? undefined : readPrice(deps, state);

async function compute(deps: PriceDeps, state: ChainState, windowSeconds: number): Promise<Price> {
  const to = await deps.blockTimes.head(state);
  const from = Math.max(0, to - windowSeconds + 1);
  const traded = await readTrades(deps, state, { from, to, bucketSeconds: oneBucket, judgeSeconds: oneBucket });
  const counted = traded.filter(({ trades }) => trades > 0);
  const baseVolume = counted.reduce((sum, { base }) => sum + base, 0n);
  const quoteVolume = counted.reduce((sum, { quote }) => sum + quote, 0n);
  const lastTrade = counted.toSorted((a, b) => b.lastBlock - a.lastBlock)[0];
  return {
    price: computePrice(quoteVolume, baseVolume),
    quoteVolume,
    baseVolume,
    from,
    to,
    traded,
    median: traded[0]?.median || null,
    last: lastTrade ? { block: lastTrade.lastBlock, time: lastTrade.lastTime } : null,
  };
}
