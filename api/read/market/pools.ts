/** Which pools the price is drawn from: of trusted factories or named by configuration, the coin against a dollar token. */
import { distinctBy } from '#runtime/lists.ts';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import type { StoreDeps } from '../reader-deps.ts';

/** What the price is drawn from. Addresses lower case. */
export interface PriceSettings {
  /** Wrapped coin, 1:1; absent: there is no exchange, and no price. */
  readonly wrapped: string | undefined;
  /** Tokens that stand for a dollar. */
  readonly dollars: readonly string[];
  /** Factories whose pools are believed: anybody can emit events that look like swaps. */
  readonly factories: readonly string[];
  /** Pools that no factory is asked for. */
  readonly pools: readonly NamedPool[];
  /** Seconds back from the head. */
  readonly windowSeconds: number;
  /** Whole dollars that a pool must hold at a trade. */
  readonly minLiquidity: number;
  /** Dollars with 18 decimals below which a trade is dust. */
  readonly minTrade: bigint;
  /** A trade further than this from the median is left out. */
  readonly outlierPercent: number;
  /** Seconds after the last trade at which the price counts as stale. */
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
  /** Position of the coin among the pool's tokens. */
  readonly baseSide: 0 | 1;
  /** What it holds, smallest units. */
  readonly baseReserve: bigint;
  readonly quoteReserve: bigint;
  /** Why a trade in it would not count now; null: it would. */
  readonly refusal: 'decimals_unknown' | 'liquidity_too_low' | null;
}

/** With pools of a state. */
export interface PoolDeps extends StoreDeps {
  readonly pools: Cache<Pool[]>;
  readonly settings: { readonly price: PriceSettings };
}

/** Pools of a state, by address; those that no trade counts of too. */
export function readPools(deps: PoolDeps, state: ChainState): Promise<Pool[]> {
  return deps.pools.of('pools', state, () => compute(deps, state));
}

const bare = (addresses: readonly string[]) => addresses.map((address) => address.slice(2));

/** A pool of the coin against a dollar token, before it is known what it holds. */
type Candidate = Pick<Pool, 'address' | 'token0' | 'token1' | 'kind' | 'factory'>;

async function compute(deps: PoolDeps, state: ChainState): Promise<Pool[]> {
  const { database, settings } = deps;
  const { wrapped, dollars, minLiquidity } = settings.price;
  if (wrapped === undefined) return [];
  const candidates = await readCandidates(deps, state, wrapped);
  if (candidates.length === 0) return [];
  const [names, reserves] = await Promise.all([
    database.read('token_names', { addresses: bare(dollars) }),
    database.read('pool_reserves', {
      ...rollupParameters(state),
      holders: bare(candidates.map(({ address }) => address)),
      tokens: bare([wrapped, ...dollars]),
    }),
  ]);
  const held = new Map(reserves.map((row) => [`${row.holder_hex} ${row.token_hex}`, BigInt(row.balance)]));
  return candidates.map((pool) => {
    const baseSide = pool.token0 === wrapped ? 0 : 1;
    const quoteAddress = baseSide === 0 ? pool.token1 : pool.token0;
    const { symbol = null, decimals = null } = names.find(({ token }) => token === quoteAddress) ?? {};
    const quoteReserve = held.get(`${pool.address} ${quoteAddress}`) ?? 0n;
    return {
      ...pool,
      baseSide,
      quoteReserve,
      quote: { address: quoteAddress, symbol, decimals },
      baseReserve: held.get(`${pool.address} ${wrapped}`) ?? 0n,
      refusal: refusalOf(quoteReserve, decimals, minLiquidity),
    };
  });
}

/** By address, each once; a pool that a factory made counts as it is named, where both name it. */
async function readCandidates(
  { database, settings }: PoolDeps,
  state: ChainState,
  wrapped: string,
): Promise<Candidate[]> {
  const { dollars, factories, pools: named } = settings.price;
  const made =
    factories.length === 0
      ? []
      : await database.read('pools_of_factories', {
          ...snapshotParameters(state),
          factories: bare(factories),
        });
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

function refusalOf(quoteReserve: bigint, decimals: number | null, minLiquidity: number): Pool['refusal'] {
  if (decimals === null || decimals > 18) return 'decimals_unknown';
  return quoteReserve < BigInt(minLiquidity) * 10n ** BigInt(decimals) ? 'liquidity_too_low' : null;
}
