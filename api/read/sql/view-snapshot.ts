import { publicViews, type ViewSnapshot } from '#sql/public-views.ts';
import { type ChainState, finalizedPart, rollupParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { bucketStart } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { assertTraced, type TracedReader } from '../accounts/internal-calls/traced-reader.ts';
import { assertCovered } from '../chain/freshness.ts';
import { readDayPrices } from '../market/day-prices.ts';
import { readPricedPools } from '../market/pools.ts';
import type { TradeDeps } from '../market/trades.ts';
import type { CoverageDeps, TimeDeps } from '../reader-deps.ts';
import type { UserStatement } from './user-statement.ts';

/** Last block that a query reads. `finalized`: its rows never change. `head`: the newest block. */
export type SqlEnd = 'finalized' | 'head';

export interface ViewSnapshotDeps extends TradeDeps, CoverageDeps, TimeDeps {
  readonly traced: TracedReader;
  readonly settings: TradeDeps['settings'] & CoverageDeps['settings'];
}

/** Returns the snapshot that a query reads. @throws ApiProblem indexing if a block of it is missing */
export function stateOfQuery(deps: CoverageDeps, state: ChainState, end: SqlEnd): ChainState {
  const read = end === 'finalized' ? finalizedPart(state) : state;
  if (read.head < read.startBlock) throw new ApiProblem('indexing', 'no finalized block is indexed yet: use at=head');
  assertCovered(deps, state, { from: state.startBlock, to: read.head }, 'SQL needs all blocks');
  return read;
}

/**
 * @throws ApiProblem bad_query if the statement reads balances but the index starts after block 0; indexing if it reads
 * internal calls but not the view traced_ranges, and some blocks are not traced
 */
export async function readViewSnapshot(
  deps: ViewSnapshotDeps,
  state: ChainState,
  { views }: Pick<UserStatement, 'views'>,
): Promise<ViewSnapshot> {
  if (views.has('balances') && state.startBlock > 0)
    throw new ApiProblem(
      'bad_query',
      'the view balances requires an index from block 0 on: earlier transfers are unknown',
    );
  const untraced = publicViews().find(({ name, needsTraces }) => needsTraces && views.has(name));
  if (untraced && !views.has('traced_ranges')) {
    const message = `the view ${untraced.name} lacks internal calls of some blocks: also read the view traced_ranges, and limit block_number to its ranges`;
    await assertTraced(deps.traced, state, { from: state.startBlock, to: state.head }, message);
  }
  const prices = views.has('prices') ? await readPrices(deps, state) : new Map<number, string>();
  return {
    ...rollupParameters(state),
    price_days: [...prices.keys()],
    price_values: [...prices.values()],
  };
}

const getCache = perDatabase(() => new Cache<ReadonlyMap<number, string>>('prices_in_sql'));

/**
 * Returns the prices of all finished days. They change with a reorg or repair, and when a pool's token becomes known.
 */
async function readPrices(deps: ViewSnapshotDeps, state: ChainState): Promise<ReadonlyMap<number, string>> {
  const [from, now] = await Promise.all([deps.blockTimes.chartStart(state), deps.blockTimes.head(state)]);
  if (from === undefined) return new Map();
  const pools = (await readPricedPools(deps, state)).map(({ address, quote }) => `${address}:${quote.decimals}`);
  const read = () => readDayPrices(deps, state, { from, to: now, now });
  return getCache(deps.database).of(`${bucketStart('day', now)}@${pools}`, state, read);
}
