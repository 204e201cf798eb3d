/** Runs statistics queries of charts. Caches ended time buckets, which only a reorg changes. */
import { createHash } from 'node:crypto';
import { getFirst, getLast } from '#runtime/lists.ts';
import { type ChainState, isIntact, isWhole, readChainState } from '#sql/snapshot.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { nextBucket } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { chargeCost, noCaller, type Payer, type QueryTurns } from '../query/query-turns.ts';
import { estimateQuery, type QuerySeries, runQuery } from '../query/run-query.ts';
import type { QueryDeps, StatsQuery } from '../query/stats-query.ts';
import type { ChartWindow } from './window-buckets.ts';

export type ChartQuery = Pick<StatsQuery, 'of' | 'measure'> &
  Partial<Pick<StatsQuery, 'field' | 'filters' | 'groupBy' | 'top'>>;

interface QueryChartDeps extends QueryDeps {
  readonly queryTurns: QueryTurns;
}

const digest = (key: unknown) => createHash('sha256').update(JSON.stringify(key)).digest('base64');

class RemovedRowsError extends Error {}

interface Caches {
  readonly costs: Cache<number>;
  readonly ended: Cache<readonly QuerySeries[]>;
}

export class QueryCharts {
  readonly #caches: Caches;
  readonly #payer: Payer;
  /** Paid queries. A request can repeat them on a newer snapshot. */
  readonly #paid = new Set<string>();
  readonly deps: QueryChartDeps;

  constructor(deps: QueryChartDeps, payer: Payer = noCaller, caches?: Caches) {
    this.deps = deps;
    this.#payer = payer;
    this.#caches = caches ?? { costs: new Cache('query_costs'), ended: new Cache('query_charts') };
  }

  /** Returns charts for a caller, who pays for queries that no other caller is running. */
  paidBy(payer: Payer): QueryCharts {
    return new QueryCharts(this.deps, payer, this.#caches);
  }

  /**
   * Returns series by group. A group can have two series: ended and open time buckets.
   * @throws ApiProblem bad_query if the query would read too many rows; rate_limited if many expensive queries wait;
   *   indexing if blocks of the time range are not indexed
   */
  async read({ state, resolution, starts, headTime }: ChartWindow, query: ChartQuery): Promise<QuerySeries[]> {
    const ended = starts.filter((start) => nextBucket(resolution, start) <= headTime);
    const open = starts.slice(ended.length);
    const window = { resolution, from: getFirst(starts), ended: ended.length };
    const key = digest([query, window]);
    const run = (buckets: readonly number[]) => this.#run({ state, resolution, starts: buckets }, query);
    const parts = await Promise.all([
      ended.length === 0
        ? []
        : this.#readEnded(key, state, nextBucket(resolution, getLast(ended)) - 1, () => run(ended)),
      open.length === 0 ? [] : run(open),
    ]);
    return parts.flat();
  }

  /** Returns the value of an ungrouped query before the chart's first bucket. @throws ApiProblem same as read() */
  async before({ state, starts }: ChartWindow, query: ChartQuery): Promise<string | null> {
    const first = await this.deps.blockTimes.chartStart(state);
    const to = getFirst(starts) - 1;
    if (first === undefined || to < first) return null;
    const key = digest([query, 'before', to]);
    const [series] = await this.#readEnded(key, state, to, () =>
      this.#runQuery(state, { ...query, resolution: 'all', from: first, to }),
    );
    return series?.total ?? null;
  }

  /**
   * Caches the result of `make`, unless rows of `state` were removed while `make` waited: then the sums are too low.
   * Requests that shared such a call, or that of a caller over its limits, call `make` themselves.
   * @param to last time of the sums, Unix seconds
   */
  async #readEnded(key: string, state: ChainState, to: number, make: () => Promise<readonly QuerySeries[]>) {
    let isOwn = false;
    const makeWhole = async () => {
      isOwn = true;
      const series = await make();
      if (await this.#hasItsRows(state, to)) return series;
      throw new RemovedRowsError();
    };
    return this.#caches.ended.of(key, state, makeWhole).catch((error: unknown) => {
      if (error instanceof RemovedRowsError) return make(); // a caller with an outdated state repeats its request
      if (!isOwn && error instanceof ApiProblem && error.code === 'rate_limited') return make();
      throw error;
    });
  }

  /** Only a reorg removes rows of final blocks. Other rows are also removed when their blocks become final. */
  async #hasItsRows(state: ChainState, to: number): Promise<boolean> {
    const later = await readChainState(this.deps.database, state);
    if (!later || later.reorgGeneration !== state.reorgGeneration) return false;
    if (isIntact(state, later)) return true;
    const finalTime = await this.deps.blockTimes.of(state, state.finalized);
    return finalTime !== undefined && to < finalTime;
  }

  #run({ state, resolution, starts }: Omit<ChartWindow, 'headTime'>, query: ChartQuery) {
    const [from, to] = [getFirst(starts), nextBucket(resolution, getLast(starts)) - 1];
    return this.#runQuery(state, { ...query, resolution, from, to });
  }

  async #runQuery(
    state: ChainState,
    { of, measure, ...more }: ChartQuery & Pick<StatsQuery, 'resolution' | 'from' | 'to'>,
  ): Promise<readonly QuerySeries[]> {
    const { deps } = this;
    const defaults = { field: undefined, filters: {}, groupBy: [], top: 0, isCumulative: false };
    const query = { of, measure, ...defaults, ...more };
    // new blocks change the estimate little, and runQuery() checks that the blocks are indexed
    const key = digest(query);
    const estimate = () => deps.queryTurns.runEstimate(this.#payer, () => estimateQuery(deps, state, query));
    const cost = await (isWhole(state) ? this.#caches.costs.of(key, anywhere, estimate) : estimate());
    if (!this.#paid.has(key)) await chargeCost(this.#payer, cost);
    this.#paid.add(key);
    const { series } = await deps.queryTurns.run(this.#payer, cost, () => runQuery(deps, state, query));
    return series;
  }
}
