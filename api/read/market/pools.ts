import { distinctBy } from '#runtime/lists.ts';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import type { LogReadDeps } from '../../tail/log-reads.ts';
import { assertFirstBlocks } from '../chain/freshness.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { readTokenNames } from '../tokens/token-names.ts';

/** Addresses are lower case. */
export interface PriceSettings {
  /** Token that wraps the coin 1:1. Unset: no price is computed. */
  readonly wrapped: string | undefined;
  /** Tokens worth one dollar each. */
  readonly dollars: readonly string[];
  /** Trusted pool factories. Other contracts could emit fake swap events. */
  readonly factories: readonly string[];
  readonly pools: readonly NamedPool[];
  /** Only trades in this time before the newest block set the price. */
  readonly windowSeconds: number;
  /** Minimum dollar reserve of a pool whose trades count. */
  readonly minLiquidity: number;
  /** Minimum value of a counted trade, dollars times 10^18. */
  readonly minTrade: bigint;
  /** Maximum deviation of a trade from the median price. */
  readonly outlierPercent: number;
  /** The price is stale if the last trade is older. */
  readonly staleSeconds: number;
}

interface NamedPool {
  readonly address: string;
  readonly token0: string;
  readonly token1: string;
}

export interface Pool extends NamedPool {
  readonly kind: string | null;
  readonly factory: string | null;
  readonly quote: { readonly address: string; readonly symbol: string | null; readonly decimals: number | null };
  readonly baseSide: 0 | 1;
  /** Smallest units of the token. */
  readonly baseReserve: bigint;
  readonly quoteReserve: bigint;
  readonly refusal: 'decimals_unknown' | 'liquidity_too_low' | null;
}

export interface PoolDeps extends StoreDeps, LogReadDeps {
  readonly pools: Cache<Pool[]>;
  readonly settings: { readonly price: PriceSettings };
}

/** Returns pools of the coin and a dollar token. `refusal` excludes a pool from the price. */
export function readPools(deps: PoolDeps, state: ChainState): Promise<Pool[]> {
  return deps.pools.of('pools', state, () => compute(deps, state));
}

const withoutPrefix = (addresses: readonly string[]) => addresses.map((address) => address.slice(2));

type Candidate = Pick<Pool, 'address' | 'token0' | 'token1' | 'kind' | 'factory'>;
type PricedPool = Candidate & Pick<Pool, 'baseSide' | 'quote'>;

/** Returns pools of the coin and a dollar token, but not their reserves. Usually runs no SQL statement. */
export async function readPricedPools(deps: PoolDeps, state: ChainState): Promise<PricedPool[]> {
  const { wrapped, dollars } = deps.settings.price;
  if (wrapped === undefined) return [];
  const candidates = await readCandidates(deps, state, wrapped);
  if (candidates.length === 0) return [];
  const names = await readTokenNames(deps, dollars);
  return candidates.map((pool) => {
    const baseSide = pool.token0 === wrapped ? 0 : 1;
    const quoteAddress = baseSide === 0 ? pool.token1 : pool.token0;
    const { symbol = null, decimals = null } = names.get(quoteAddress) ?? {};
    return { ...pool, baseSide, quote: { address: quoteAddress, symbol, decimals } };
  });
}

async function compute(deps: PoolDeps, state: ChainState): Promise<Pool[]> {
  const { wrapped, dollars, minLiquidity } = deps.settings.price;
  const pools = await readPricedPools(deps, state);
  if (wrapped === undefined || pools.length === 0) return [];
  assertFirstBlocks(state, 'reserves of liquidity pools');
  const reserves = await deps.database.read('pool_reserves', {
    ...rollupParameters(state),
    holders: withoutPrefix(pools.map(({ address }) => address)),
    tokens: withoutPrefix([wrapped, ...dollars]),
  });
  const held = new Map(reserves.map((row) => [`${row.holder_hex} ${row.token_hex}`, BigInt(row.balance)]));
  return pools.map((pool) => {
    const quoteReserve = held.get(`${pool.address} ${pool.quote.address}`) ?? 0n;
    return {
      ...pool,
      quoteReserve,
      baseReserve: held.get(`${pool.address} ${wrapped}`) ?? 0n,
      refusal: getRefusal(quoteReserve, pool.quote.decimals, minLiquidity),
    };
  });
}

async function readCandidates(
  { database, logReads, settings }: PoolDeps,
  state: ChainState,
  wrapped: string,
): Promise<Candidate[]> {
  const { dollars, factories, pools: named } = settings.price;
  const made =
    factories.length === 0
      ? []
      : await logReads.of('pools', factories, state, (needed) =>
          database.read('pools_of_factories', { ...snapshotParameters(needed), factories: withoutPrefix(factories) }),
        );
  const found: Candidate[] = [
    ...made.map(({ pool_hex: address, pool_kind: kind, token0, token1, factory }) => ({
      address,
      token0,
      token1,
      kind,
      factory,
    })),
    ...named.map(({ address, token0, token1 }) => ({ address, token0, token1, kind: null, factory: null })),
  ];
  const isCoin = (token: string) => token === wrapped;
  const isKnown = (token: string) => isCoin(token) || dollars.includes(token);
  return distinctBy(
    found.filter(({ token0, token1 }) => isKnown(token0) && isKnown(token1)),
    ({ address }) => address,
  )
    .filter(({ token0, token1 }) => token0 !== token1 && (isCoin(token0) || isCoin(token1)))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Returns whether amounts of a token with these decimals can be compared in dollars. */
export const isPriced = (decimals: number | null): decimals is number => decimals !== null && decimals <= 18;

function getRefusal(quoteReserve: bigint, decimals: number | null, minLiquidity: number): Pool['refusal'] {
  if (!isPriced(decimals)) return 'decimals_unknown';
  return quoteReserve < BigInt(minLiquidity) * 10n ** BigInt(decimals) ? 'liquidity_too_low' : null;
}
