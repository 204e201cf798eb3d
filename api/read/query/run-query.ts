/** Runs statistics queries: an exact measure of the filtered rows, by time bucket and group. */
import { groupBy } from '#runtime/lists.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { exceedsLimits, StoreError } from '#sql/store-error.ts';
import { fixedSeconds, isFixed, nextBucket } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { Point } from '../charts/window-buckets.ts';
import { getColumn, type Measure } from './datasets.ts';
import { advise, assertAffordable } from './estimate.ts';
import { assertNoOverflow, divideShare, type FigureRow, mayOverflow, measureRules } from './figures.ts';
import { writePublicSql } from './public-sql.ts';
import { assertIndexed, assertNoFirsts, type QueryWindow, readQueryWindow } from './query-window.ts';
import { type RowSelection, selectRows } from './select-rows.ts';
import type { QueryDeps, StatsQuery } from './stats-query.ts';

export interface QuerySeries {
  /** Values of the `groupBy` keys, hex digits or text; undefined: all other groups together. */
  readonly keys: readonly string[] | undefined;
  /** Value of the complete time range. */
  readonly total: string | null;
  /** Empty for the resolution `all`. */
  readonly points: readonly Point[];
}

export interface QueryResult extends Pick<QueryWindow, 'fromBlock' | 'toBlock' | 'fromTime' | 'toTime'> {
  readonly series: readonly QuerySeries[];
}

/**
 * Returns the number of rows to read times the cost per row.
 * @throws ApiProblem bad_query if the time range is invalid or the query would read too many rows; indexing if blocks
 * of the range are not indexed
 */
export async function estimateQuery(deps: QueryDeps, state: ChainState, query: StatsQuery): Promise<number> {
  const window = await readQueryWindow(deps, state, query);
  await assertIndexed(deps, state, query, window);
  if (window) assertSize(await countBuckets(deps, state, query, window), 1);
  return window ? new QueryRun(deps, state, query, window).estimate() : 0;
}

/** Does not check the cost. @throws ApiProblem as estimateQuery for the time range */
export async function runQuery(deps: QueryDeps, state: ChainState, query: StatsQuery): Promise<QueryResult> {
  const window = await readQueryWindow(deps, state, query);
  await assertIndexed(deps, state, query, window);
  if (!window) return { series: [], fromBlock: 0, toBlock: 0, fromTime: 0, toTime: 0 };
  const { fromBlock, toBlock, fromTime, toTime } = window;
  return { series: await new QueryRun(deps, state, query, window).read(), fromBlock, toBlock, fromTime, toTime };
}

/** Returns the query as SQL over the public views. @param title describes the query */
export async function describeQuery(
  deps: QueryDeps,
  state: ChainState,
  query: StatsQuery,
  title: string,
): Promise<string> {
  assertNoFirsts(state, query);
  const window = await readQueryWindow(deps, state, query);
  if (!window) throw new ApiProblem('bad_query', 'no block in this time range: choose other values of from and to');
  return writePublicSql(query, window, title, state.startBlock);
}

/** Maximum values in a reply. The SQL may return four times as many rows, for earlier buckets. */
const maxValues = 250_000;

/** @throws ApiProblem bad_query */
function assertSize(buckets: number, groups: number): void {
  if (buckets * groups <= maxValues) return;
  throw new ApiProblem(
    'bad_query',
    `the query has ${buckets} time buckets in ${groups} groups, at most ${maxValues} values are allowed: use a coarser resolution, a shorter time range or a lower top`,
  );
}

/** Returns the maximum number of time buckets that the SQL returns. Running totals read all since the first block. */
async function countBuckets(
  { blockTimes }: QueryDeps,
  state: ChainState,
  { resolution, isCumulative }: StatsQuery,
  window: QueryWindow,
): Promise<number> {
  if (!isCumulative || resolution === 'all') return window.starts.length;
  const seconds = isFixed(resolution) ? fixedSeconds[resolution] : fixedSeconds.day;
  const firstTime = (await blockTimes.first(state)) ?? window.fromTime;
  // at most one bucket per block: the first block can have the time 0
  return Math.min(Math.ceil((window.toTime - firstTime) / seconds), window.toBlock - state.startBlock + 1);
}

type Asked = readonly string[];

class QueryRun {
  readonly #selection: RowSelection;
  readonly #deps: QueryDeps;
  readonly #state: ChainState;
  readonly #query: StatsQuery;
  readonly #window: QueryWindow;

  constructor(deps: QueryDeps, state: ChainState, query: StatsQuery, window: QueryWindow) {
    this.#deps = deps;
    this.#state = state;
    this.#query = query;
    this.#window = window;
    this.#selection = selectRows(query.of, query.filters);
  }

  /** A share divides two counts or two sums. */
  get #measure(): Exclude<Measure, 'share'> {
    const { measure, field } = this.#query;
    if (measure !== 'share') return measure;
    return field === undefined ? 'count' : 'sum';
  }

  get #rule() {
    return measureRules[this.#measure];
  }

  get #figures(): readonly string[] {
    const { asks } = this.#rule;
    return mayOverflow(this.#query.of, this.#measure) ? [...asks, 'overflow'] : asks;
  }

  describe(): RowSelection {
    const { statement, asked, parameters } = this.#selection;
    return {
      statement,
      asked: [...asked, ...this.#figures, ...this.#shape, ...this.#grouping],
      parameters: { ...this.#parameters(), ...parameters },
    };
  }

  /** The measure share also reads all unfiltered rows, because it divides by them. */
  estimate(): Promise<number> {
    const own = this.describe();
    const { statement, asked } = selectRows(this.#query.of, {});
    const whole = { statement, asked: [...asked, ...this.#rule.asks], parameters: own.parameters };
    return assertAffordable(this.#deps, this.#query, this.#query.measure === 'share' ? [own, whole] : [own]);
  }

  async read(): Promise<QuerySeries[]> {
    const { measure, groupBy: keys, top } = this.#query;
    if (measure === 'share') return [await this.#readShare()];
    if (keys.length === 0) return [{ keys: [], ...this.#toSeries(await this.#rows(this.#selection, this.#shape)) }];
    const limits = { rank: this.#rule.rank, limit: top + 1 };
    const ranked = await this.#rows(this.#selection, [...this.#grouping, 'ranked'], limits);
    assertSize(this.#window.starts.length, ranked.length);
    const best = ranked.slice(0, top);
    if (ranked.length <= top && this.#query.resolution === 'all') return best.map((row) => this.#toGroup(row, [row]));
    const named = { top1: best.map(({ key1_hex }) => key1_hex), top2: best.map(({ key2_hex }) => key2_hex) };
    const rows = groupBy(
      await this.#rows(this.#selection, [...this.#shape, ...this.#grouping, 'top'], named),
      toGroupId,
    );
    const others = this.#addsTokens ? [] : [...rows].filter(([, own]) => own.some(({ is_other }) => is_other));
    return [
      ...best.map((row) => this.#toGroup(row, rows.get(toGroupId(row)) ?? [])),
      ...others.map(([, own]) => ({ keys: undefined, ...this.#toSeries(own) })),
    ];
  }

  #toGroup({ key1_hex, key2_hex }: FigureRow, rows: readonly FigureRow[]): QuerySeries {
    return { keys: [key1_hex, key2_hex].slice(0, this.#query.groupBy.length), ...this.#toSeries(rows) };
  }

  async #readShare(): Promise<QuerySeries> {
    const [parts, wholes] = await Promise.all([
      this.#rows(this.#selection, this.#shape),
      this.#rows(selectRows(this.#query.of, {}), this.#shape),
    ]);
    const [part, whole] = [this.#toSeries(parts), this.#toSeries(wholes)];
    const wholeAt = new Map(whole.points.map(({ time, value }) => [time, value]));
    return {
      keys: [],
      total: divideShare(part.total, whole.total),
      points: part.points.map((point) => ({ ...point, value: divideShare(point.value, wholeAt.get(point.time)) })),
    };
  }

  /** Returns whether the group of all other keys would mix amounts of different tokens. */
  get #addsTokens(): boolean {
    const { of, groupBy: keys, filters } = this.#query;
    const readsAmounts = this.#rule.asks.some((asked) => asked === 'sum' || asked === 'extremes' || asked === 'ranks');
    return of === 'token_transfers' && readsAmounts && keys.includes('token') && filters.token?.length !== 1;
  }

  get #grouping(): Asked {
    return ['grouped', 'paired'].slice(0, this.#query.groupBy.length);
  }

  get #shape(): Asked {
    return this.#query.resolution === 'all' ? [] : ['series'];
  }

  async #rows({ statement, asked, parameters }: RowSelection, shape: Asked, limits: Parameters = {}) {
    const given = { ...this.#parameters(shape.includes('series')), ...parameters, ...limits };
    const asks = [...asked, ...this.#figures, ...shape];
    // parameter types differ by statement; selectRows has chosen matching values
    const read = this.#deps.database.read(statement, given as never, asks as never);
    const rows = (await read.catch((error: unknown) => {
      if (!(error instanceof StoreError && exceedsLimits(error))) throw error;
      const advice = advise(this.#query, 0.5);
      throw new ApiProblem('bad_query', `the query needs more time, memory or rows than allowed: ${advice}`);
    })) as FigureRow[];
    for (const row of rows) if (!(row.is_other && this.#addsTokens)) assertNoOverflow(row);
    return rows;
  }

  #parameters(isSeries = true): Parameters {
    const { field, resolution, groupBy: keys, isCumulative } = this.#query;
    const isKeyed = this.#measure === 'distinct' || this.#measure === 'new';
    const [key1 = 'nothing', key2 = 'nothing'] = keys.map(getColumn);
    const column = field === undefined ? 'nothing' : getColumn(field);
    // running totals and first occurrences need all earlier blocks
    const isRunning = isCumulative && (isSeries || resolution !== 'all');
    const readsEarlier = this.#measure === 'new' || isRunning;
    return {
      ...snapshotParameters(this.#state),
      from_block: readsEarlier ? this.#state.startBlock : this.#window.fromBlock,
      to_block: this.#window.toBlock,
      amount: isKeyed ? 'nothing' : column,
      subject: isKeyed ? column : 'nothing',
      key1,
      key2,
      bucket_seconds: resolution !== 'all' && isFixed(resolution) ? fixedSeconds[resolution] : 0,
      period: resolution,
      first_time: isRunning ? 0 : this.#window.fromTime,
    };
  }

  /** @param rows one row per time bucket, and one for the total */
  #toSeries(rows: readonly FigureRow[]): Pick<QuerySeries, 'total' | 'points'> {
    const { value, isCount } = this.#rule;
    const none = isCount ? '0' : null;
    const isTotal = (row: FigureRow) => this.#query.resolution === 'all' || row.is_total === '1';
    const at = new Map(rows.filter((row) => !isTotal(row)).map((row) => [row.time, value(row)]));
    if (this.#query.isCumulative) return this.#toRunningTotals(at);
    const total = rows.find(isTotal);
    return { total: total ? value(total) : none, points: this.#toPoints((time) => at.get(time) ?? none) };
  }

  #toRunningTotals(at: ReadonlyMap<number, string | null>): Pick<QuerySeries, 'total' | 'points'> {
    let sum = 0n;
    for (const [time, value] of at) if (time < this.#window.fromTime) sum += BigInt(value ?? 0);
    const points = this.#toPoints((time) => {
      sum += BigInt(at.get(time) ?? 0);
      return String(sum);
    });
    return { total: String(sum), points };
  }

  #toPoints(valueAt: (time: number) => string | null): Point[] {
    const { resolution } = this.#query;
    if (resolution === 'all') return [];
    return this.#window.starts.map((time) => {
      const end = nextBucket(resolution, time);
      return { time, end, value: valueAt(time), partial: end > this.#window.headTime };
    });
  }
}

/** The group of all other keys has empty keys and `is_other`. */
const toGroupId = ({ key1_hex, key2_hex, is_other = 0 }: FigureRow) => `${key1_hex}.${key2_hex}.${is_other}`;
