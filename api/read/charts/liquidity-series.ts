/** Dollars in liquidity pools of the coin: dollar tokens received minus dollar tokens sent. */
import { ApiProblem } from '../../terms/errors.ts';
import { assertCovered } from '../chain/freshness.ts';
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

/**
 * @throws ApiProblem bad_query if the operator configured no price, or the index begins after block 0; indexing if blocks
 *   are not indexed, or decimals of a dollar token are unknown
 */
async function readValuedPools({ deps, state }: SeriesRequest): Promise<Pool[]> {
  const { wrapped, dollars } = deps.settings.price;
  if (wrapped === undefined || dollars.length === 0)
    throw new ApiProblem('bad_query', 'this service knows no pools of the coin (WFAT_ADDRESS, STABLECOINS)');
  if (state.startBlock > 0)
    throw new ApiProblem(
      'bad_query',
      `transfers of pools before block ${state.startBlock} are not indexed (START_BLOCK)`,
    );
  assertCovered(deps, state, { from: state.startBlock, to: state.head }, 'liquidity needs all transfers of the pools');
  const pools = await readPools(deps, state);
  const unknown = pools.find(({ refusal }) => refusal === 'decimals_unknown');
  if (!unknown) return pools;
  throw new ApiProblem(
    'indexing',
    `the number of decimals of the token ${unknown.quote.address} is not known yet, or above 18`,
  );
}

async function readDollars(request: SeriesRequest, pools: readonly Pool[]): Promise<ReadonlyMap<number, string>> {
  const { queryCharts } = request.deps;
  const flows: (readonly [number, bigint])[] = [];
  let total = 0n;
  for (const { address, quote } of pools)
    for (const [side, sign] of [['recipient', 1n] as const, ['sender', -1n] as const]) {
      const filters = { token: [quote.address.slice(2)], [side]: [address.slice(2)] };
      const query = { of: 'token_transfers', measure: 'sum', field: 'value', filters } as const;
      const scale = sign * 10n ** BigInt(18 - (quote.decimals ?? 0));
      const [before, series] = await Promise.all([
        queryCharts.before(request, query),
        queryCharts.read(request, query),
      ]);
      total += scale * BigInt(before ?? 0);
      for (const { time, value } of series.flatMap(({ points }) => points))
        flows.push([time, scale * BigInt(value ?? 0)]);
    }
  const sums = sumByBucket(flows);
  return new Map(
    request.starts.map((time) => {
      total += sums.get(time) ?? 0n;
      return [time, fat(total)];
    }),
  );
}
