/** Reads the dollar tokens in liquidity pools of the coin: received minus sent. */
import { ApiProblem } from '../../terms/errors.ts';
import { readPricedPools } from '../market/pools.ts';
import { assertAllTransfers, type DollarAccount, readHeldDollars } from './dollar-series.ts';
import { requireDollarDecimals } from './dollar-tokens.ts';
import type { OwnSeries, SeriesRequest } from './own-series.ts';

export const liquidity: OwnSeries = async (request) => readHeldDollars(request, await readValuedPools(request));

/** @throws ApiProblem bad_query, with all pools, if `subject` is not a pool */
export const liquidityOfPool: OwnSeries = async (request) => {
  const pools = await readValuedPools(request);
  const pool = pools.find(({ address }) => address === `0x${request.subject}`);
  if (pool) return readHeldDollars(request, [pool]);
  throw new ApiProblem(
    'bad_query',
    'subject is not a pool that trades the coin for dollars; details.pools lists them',
    {
      pools: pools.map(({ address }) => address),
    },
  );
};

/**
 * @throws ApiProblem bad_query if the operator configured no price, or the index begins after block 0; indexing if blocks
 *   are not indexed, or decimals of a dollar token are unknown
 */
async function readValuedPools({ deps, state }: SeriesRequest): Promise<DollarAccount[]> {
  const { wrapped, dollars } = deps.settings.price;
  if (wrapped === undefined || dollars.length === 0)
    throw new ApiProblem('bad_query', 'this service knows no pools of the coin (WFAT_ADDRESS, STABLECOINS)');
  assertAllTransfers(deps, state);
  const pools = await readPricedPools(deps, state);
  return pools.map(({ address, quote }) => ({
    address,
    token: quote.address,
    decimals: requireDollarDecimals('token', quote.address, quote.decimals),
  }));
}
