/** Dollars in liquidity pools of the coin: dollar tokens received minus dollar tokens sent. */
import { ApiProblem } from '../../terms/errors.ts';
import { assertCovered } from '../chain/freshness.ts';
import { readPools } from '../market/pools.ts';
import { fat } from './decimals.ts';
import { requireDollarDecimals, toDollars } from './dollar-tokens.ts';
import type { OwnSeries, SeriesRequest } from './own-series.ts';
import { readSums } from './query-series.ts';
import { runningTotals, sumByBucket } from './subject-series.ts';

interface DollarPool {
  readonly address: string;
  /** The dollar token that the pool trades against the coin. */
  readonly token: string;
  readonly decimals: number;
}

/** Dollar value of all pools at the end of each time bucket. */
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
async function readValuedPools({ deps, state }: SeriesRequest): Promise<DollarPool[]> {
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
  return pools.map(({ address, quote }) => ({
    address,
    token: quote.address,
    decimals: requireDollarDecimals('token', quote.address, quote.decimals),
  }));
}

async function readDollars(request: SeriesRequest, pools: readonly DollarPool[]): Promise<ReadonlyMap<number, string>> {
  const { queryCharts } = request.deps;
  const flows: (readonly [number, bigint])[] = [];
  let total = 0n;
  for (const { address, token, decimals } of pools)
    for (const [side, sign] of [['recipient', 1n] as const, ['sender', -1n] as const]) {
      const filters = { token: [token.slice(2)], [side]: [address.slice(2)] };
      const query = { of: 'token_transfers', measure: 'sum', field: 'value', filters } as const;
      const [before, sums] = await Promise.all([queryCharts.before(request, query), readSums(request, query)]);
      total += sign * toDollars(BigInt(before ?? 0), decimals);
      for (const [time, sum] of sums) flows.push([time, sign * toDollars(sum, decimals)]);
    }
  const totals = runningTotals(request.starts, sumByBucket(flows), total);
  return new Map([...totals].map(([time, dollars]) => [time, fat(dollars)]));
}
