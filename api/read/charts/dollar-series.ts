/** Sums dollar tokens that accounts hold at the end of each time bucket: all received minus all sent. */
import type { ChainState } from '#sql/snapshot.ts';
import { assertCovered, assertFirstBlocks } from '../chain/freshness.ts';
import type { CoverageDeps } from '../reader-deps.ts';
import { fat } from './decimals.ts';
import { toDollars } from './dollar-tokens.ts';
import type { SeriesRequest } from './own-series.ts';
import { readSums } from './query-series.ts';
import { runningTotals, sumByBucket } from './subject-series.ts';

export interface DollarAccount {
  readonly address: string;
  /** Address of the dollar token. */
  readonly token: string;
  readonly decimals: number;
}

/** @throws ApiProblem bad_query if the index begins after block 0; indexing if blocks are not indexed */
export function assertAllTransfers(deps: CoverageDeps, state: ChainState): void {
  assertFirstBlocks(state, 'sums since the first block');
  assertCovered(deps, state, { from: 0, to: state.head }, 'the chart needs all token transfers since the first block');
}

/** Returns dollars of all accounts together. @param sign -1: amounts sent minus amounts received */
export async function readHeldDollars(
  request: SeriesRequest,
  accounts: readonly DollarAccount[],
  sign: 1n | -1n = 1n,
): Promise<ReadonlyMap<number, string>> {
  const { queryCharts } = request.deps;
  const flows: (readonly [number, bigint])[] = [];
  let total = 0n;
  for (const { address, token, decimals } of accounts)
    for (const [side, direction] of [['recipient', sign] as const, ['sender', -sign] as const]) {
      const filters = { token: [token.slice(2)], [side]: [address.slice(2)] };
      const query = { of: 'token_transfers', measure: 'sum', field: 'value', filters } as const;
      const [before, sums] = await Promise.all([queryCharts.before(request, query), readSums(request, query)]);
      total += direction * toDollars(BigInt(before ?? 0), decimals);
      for (const [time, sum] of sums) flows.push([time, direction * toDollars(sum, decimals)]);
    }
  const totals = runningTotals(request.starts, sumByBucket(flows), total);
  return new Map([...totals].map(([time, dollars]) => [time, fat(dollars)]));
}
