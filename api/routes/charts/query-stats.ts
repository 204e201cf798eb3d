import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { Picture } from '../../drawing/chart-picture.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { assertFirstBlocks, indexInfo, isCertain } from '../../read/chain/freshness.ts';
import { shownUnit } from '../../read/charts/decimals.ts';
import { needsEarlierBlocks } from '../../read/charts/earlier-blocks.ts';
import { type Dataset, datasets, type KeyForm, noKey } from '../../read/query/datasets.ts';
import { isFlow, queryTitle } from '../../read/query/query-title.ts';
import { chargeCost, type QueryTurns } from '../../read/query/query-turns.ts';
import { describeQuery, estimateQuery, type QuerySeries, runQuery } from '../../read/query/run-query.ts';
import type { QueryDeps, StatsQuery } from '../../read/query/stats-query.ts';
import type { SnapshotDeps, TimeDeps } from '../../read/reader-deps.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { Count, IndexInfo, UnixSeconds } from '../../terms/primitives.ts';
import { toCsv } from './csv.ts';
import { csvHeaders } from './csv-headers.ts';
import { ChartPoint, chartPoint } from './get-chart.ts';
import { exactUpTo, isPicture, notExactUpTo, pictureMediaTypes, pictureReply } from './picture-reply.ts';
import { type GivenQuery, readStatsQuery, StatsQueryParameters } from './stats-query-parameters.ts';

const StatsSeries = z
  .strictObject({
    keys: z.record(z.string(), z.string()).meta({ description: 'Value of each key in groupBy; empty without groupBy' }),
    isOther: z.boolean().meta({ description: 'true for the series that adds up all groups without their own series' }),
    total: z.string().nullable().meta({
      description:
        'Value of the measure over the complete time range, decimal; null if an average or share has no data',
    }),
    points: z.array(ChartPoint).meta({ description: 'One point per time bucket; empty for resolution=all' }),
  })
  .meta({ id: 'StatsSeries' });

/** @source docs/charts.md */
export const queryStats = defineRoute({
  id: 'queryStats',
  base: '/api/v1',
  path: '/stats/query',
  methods: ['get'],
  tag: 'charts',
  summary: 'Chart of the rows that match your filters',
  description:
    'Measures rows of the chain that match your filters, per time bucket, grouped by up to two keys. Values are exact up to the newest block. A query that would read too many rows is rejected; the error has the estimate and advice.',
  params: z.object({}),
  query: StatsQueryParameters,
  response: z
    .strictObject({
      query: z.strictObject({
        of: z.string(),
        measure: z.string(),
        field: z.string().nullable(),
        unit: z.string().nullable().meta({ description: 'Unit of the values; null if they are counts or ratios' }),
        resolution: z.string(),
        groupBy: z.array(z.string()),
        cumulative: z.boolean(),
      }),
      series: z.array(StatsSeries).meta({ description: 'Largest group first; empty if the time range has no block' }),
      fromBlock: Count,
      toBlock: Count,
      fromTime: UnixSeconds,
      toTime: UnixSeconds.meta({ description: 'End of the time range, exclusive' }),
      cost: Count.meta({
        description:
          'Estimated number of rows that the query reads, multiplied by a factor for its kind; the limit is QUERY_MAX_ROWS',
      }),
      updatedAtBlock: Count,
      index: IndexInfo,
    })
    .meta({ id: 'StatsQueryResult' }),
  errors: ['bad_query', 'indexing', 'rate_limited', 'store_unavailable'],
  cost: 5,
  maxAgeSeconds: 1,
  mediaTypes: ['application/json', 'text/csv; charset=utf-8', ...pictureMediaTypes, 'text/plain; charset=utf-8'],
  example: '/stats/query?of=transactions&measure=p50&field=fee&status=failure&resolution=hour',
  handle: async (deps: QueryRouteDeps, { query: given, caller, address, charge }) => {
    if (given.format === 'sql')
      return new OtherReply('text/plain; charset=utf-8', `${await readQuerySql(deps, given)}\n`);
    const query = await readStatsQuery(deps, given);
    const { snapshots, queryTurns } = deps;
    const payer = { caller, address, charge };
    const estimate = (state: ChainState) => queryTurns.runEstimate(payer, () => estimateQuery(deps, state, query));
    const cost = await snapshots.run(estimate);
    await chargeCost(payer, cost);
    const read = async (state: ChainState) => ({ state, ...(await runQuery(deps, state, query)) });
    const result = await queryTurns.run(payer, cost, () => snapshots.run(read, { isExpensive: true }));
    const lacksEarlier = await lacksFirstBlocks(deps, query, result);
    if (given.format === 'csv') {
      if (lacksEarlier) assertFirstBlocks(result.state, 'values of the first time bucket');
      return csvReply(query, result);
    }
    const { index, ...found } = jsonReply(deps, query, cost, result);
    const reply = { ...found, index: { ...index, complete: index.complete && !lacksEarlier } };
    if (!isPicture(given.format)) return reply;
    const isExact = isCertain(result.state) && !lacksEarlier;
    return pictureReply(
      given.format,
      queryPicture(deps, given, reply, isExact ? undefined : notExactUpTo(result.state)),
    );
  },
});

/** Without `from`, a total covers all blocks. */
function lacksFirstBlocks(deps: TimeDeps, { from, to, resolution }: StatsQuery, { state, fromTime, toTime }: Result) {
  const points = toTime === 0 ? [] : [{ time: fromTime }];
  const range = { from: from ?? (resolution === 'all' ? 0 : undefined), to, points };
  return needsEarlierBlocks(deps, state, { kind: 'flow' }, range);
}

/** Returns the SQL of a query for clients. @throws ApiProblem bad_query */
export async function readQuerySql(deps: QueryDeps & SnapshotDeps, given: GivenQuery): Promise<string> {
  const query = await readStatsQuery(deps, given);
  return deps.snapshots.run((state) => describeQuery(deps, state, query, queryTitle(given)));
}

interface QueryRouteDeps extends SnapshotDeps, QueryDeps, NetworkDeps {
  readonly settings: QueryDeps['settings'] & NetworkDeps['settings'];
  readonly queryTurns: QueryTurns;
}

type Result = Awaited<ReturnType<typeof runQuery>> & { readonly state: ChainState };

function jsonReply(deps: QueryDeps, query: StatsQuery, cost: number, { state, series, ...rest }: Result) {
  return {
    query: describe(query),
    series: series.map((one) => ({
      keys: toKeys(query, one),
      isOther: one.keys === undefined,
      total: one.total,
      points: one.points.map(chartPoint),
    })),
    ...{ ...rest, cost },
    updatedAtBlock: state.head,
    index: indexInfo(deps, state),
  };
}

function describe({ of, measure, field, resolution, groupBy, isCumulative }: StatsQuery) {
  const fields: Readonly<Record<string, string>> = datasets[of].fields;
  const unit = measure === 'share' || field === undefined ? null : (fields[field] ?? null);
  return { of, measure, field: field ?? null, unit, resolution, groupBy: [...groupBy], cumulative: isCumulative };
}

function toKeys({ of, groupBy }: StatsQuery, { keys }: QuerySeries): Record<string, string> {
  const forms: Dataset['keys'] = datasets[of].keys;
  return Object.fromEntries(
    groupBy.map((name, i): [string, string] => [
      name,
      keys === undefined ? 'other' : showKey(name, forms[name], keys[i] ?? ''),
    ]),
  );
}

function showKey(name: string, form: KeyForm | undefined, hex: string): string {
  if (form === 'address' && hex === '') return noKey;
  if (form === 'address' || form === 'bytes') return `0x${hex}`;
  const text = Buffer.from(hex, 'hex').toString();
  return name === 'status' ? (text === '0' ? 'failure' : 'success') : text;
}

type Series = z.infer<typeof StatsSeries>;

interface ShownSeries extends Series {
  readonly title: string;
  readonly unit: string;
}

/** Converts a series to display units, such as wei to coins. @param coin symbol of the native coin */
export function showSeries(series: Series, unit: string | null, coin: string): ShownSeries {
  const shown = shownUnit(unit, coin);
  const value = (text: string | null) => (text === null ? null : shown.show(text));
  return {
    ...series,
    title: series.isOther ? 'All others' : Object.values(series.keys).join(', '),
    unit: shown.unit,
    total: value(series.total),
    points: series.points.map((point) => ({ ...point, value: value(point.value) })),
  };
}

function queryPicture(
  { settings }: NetworkDeps,
  given: GivenQuery,
  { query, series, updatedAtBlock }: ReturnType<typeof jsonReply>,
  doubt: string | undefined,
): Picture {
  const { chainName, nativeCurrency } = settings.network;
  const shown = series.map((one) => showSeries(one, query.unit, nativeCurrency.symbol));
  return {
    title: queryTitle(given),
    unit: shownUnit(query.unit, nativeCurrency.symbol).unit,
    resolution: query.resolution,
    isFlow: isFlow(query.measure, query.cumulative),
    series: shown.map(({ title: name, points, total }) => ({ name, points, total })),
    note: doubt ?? exactUpTo(updatedAtBlock, shown[0]?.points.at(-1)?.partial === true),
    chainName,
  };
}

function csvReply(query: StatsQuery, { state, series }: Result): OtherReply {
  const { groupBy, resolution, measure, of } = query;
  const times = resolution === 'all' ? [] : ['Date(UTC)', 'UnixTimeStamp'];
  const rows = series.flatMap((one) => {
    const keys = Object.values(toKeys(query, one));
    if (resolution === 'all') return [[...keys, one.total]];
    return one.points.map(({ time, value }) => [isoTime(time), time, ...keys, value]);
  });
  const headers = csvHeaders(`${of}-${measure}`, state, series[0]?.points ?? []);
  return new OtherReply('text/csv; charset=utf-8', toCsv([...times, ...groupBy, 'Value'], rows), headers);
}
