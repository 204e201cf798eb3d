/** Dollars in liquidity pools of the coin: dollar tokens received minus dollar tokens sent. */
import { ApiProblem } from '../../terms/errors.ts';
import { type Pool, readPools } from '../market/pools.ts';
import { fat } from './decimals.ts';
import type { OwnSeries, SeriesRequest } from './own-series.ts';
import { sumByBucket } from './subject-series.ts';

/** Dollars of all pools at the end of each time bucket. */
export const liquidity: OwnSeries = async (request) => readDollars(request, await readValuedPools(request));

/** Dollars of one pool. @throws ApiProblem bad_query, with all pools, if `subject` is not a pool */
export const liquidityOfPool: OwnSeries = async (request) => {
  const pools = await readValuedPools(request);
  const pool = pools.find(({ address }) => address === `0x${request.subject}`);
  if (pool) return readDollars(request, [pool]);
  throw new ApiProblem(
    'bad_query',
    'subject is not a pool that trades the coin for dollars; details.pools lists them',
    {
      pools: pools.map(({ address }) => address),
    },
  );
};

/** @throws ApiProblem indexing if decimals of a dollar token are unknown or above 18 */
async function readValuedPools({ deps, state }: SeriesRequest): Promise<Pool[]> {
  const pools = await readPools(deps, state);
  const unknown = pools.find(({ refusal }) => refusal === 'decimals_unknown');
  if (!unknown) return pools;
  throw new ApiProblem(
    'indexing',
    `the number of decimals of the token ${unknown.quote.address} is not known yet, or above 18`,
  );
}

async function readDollars(request: SeriesRequest, pools: readonly Pool[]): Promise<ReadonlyMap<number, string>> {
  const amounts: (readonly [number, bigint])[] = [];
  for (const { address, quote } of pools)
    for (const [side, sign] of [['recipient', 1n] as const, ['sender', -1n] as const]) {
      const series = await request.deps.queryCharts.read(request, {
        ...{ of: 'token_transfers', measure: 'sum', field: 'value', isCumulative: true },
        filters: { token: [quote.address.slice(2)], [side]: [address.slice(2)] },
      });
      const scale = sign * 10n ** BigInt(18 - (quote.decimals ?? 0));
      for (const { time, value } of series.flatMap(({ points }) => points))
        amounts.push([time, scale * BigInt(value ?? 0)]);
    }
  return new Map([...sumByBucket(amounts)].map(([time, dollars]) => [time, fat(dollars)]));
}
