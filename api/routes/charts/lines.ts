/** Serves charts with the paths and formats of Blockscout's stats service. @source @blockscout/stats-types */

import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { isTraced, type TracedReader } from '../../read/accounts/internal-calls/traced-reader.ts';
import { isCertain } from '../../read/chain/freshness.ts';
import { buildChart } from '../../read/charts/build-chart.ts';
import { charts } from '../../read/charts/catalogue/index.ts';
import { type Chart, sections } from '../../read/charts/chart.ts';
import { isWholeChart } from '../../read/charts/earlier-blocks.ts';
import type { ChartDeps } from '../../read/charts/own-series.ts';
import { assertResolution, parseSubject, requireChart } from '../../read/charts/require-chart.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { From, To } from './chart-query.ts';

const names = { DAY: 'day', WEEK: 'week', MONTH: 'month', YEAR: 'year' } as const;
type LineResolution = keyof typeof names;

const LineInfo = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    units: z.string().optional(),
    resolutions: z.array(z.string()),
  })
  .meta({ id: 'LineChartInfo' });

const Line = z
  .strictObject({
    chart: z.array(
      z.strictObject({ date: z.string(), date_to: z.string(), value: z.string(), is_approximate: z.boolean() }),
    ),
    info: LineInfo,
  })
  .meta({ id: 'LineChart' });

/** Blockscout's API can't request a chart of one token or account. */
const lines = charts.filter((chart) => chart.subject === undefined);

const isoDay = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);

function lineInfo(chart: Chart): z.input<typeof LineInfo> {
  const supported = (Object.keys(names) as LineResolution[]).filter((name) => chart.resolutions.includes(names[name]));
  return {
    id: chart.id,
    title: chart.title,
    description: chart.definition,
    ...(chart.unit === null ? {} : { units: chart.unit }),
    resolutions: supported,
  };
}

export const listLines = defineRoute({
  id: 'listLines',
  base: '/api/v1',
  path: '/lines',
  methods: ['get'],
  tag: 'charts',
  summary: "List of charts in the format of Blockscout's stats service",
  description: 'The reply groups the charts by section.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({
      sections: z.array(z.strictObject({ id: z.string(), title: z.string(), charts: z.array(LineInfo) })),
    })
    .meta({ id: 'LineCharts' }),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/lines',
  handle: async () => ({
    sections: Object.entries(sections)
      .filter(([id]) => lines.some((chart) => chart.section === id))
      .map(([id, title]) => ({
        id,
        title,
        charts: lines.filter((chart) => chart.section === id).map(lineInfo),
      })),
  }),
});

export const getLine = defineRoute({
  id: 'getLine',
  base: '/api/v1',
  path: '/lines/:name',
  methods: ['get'],
  tag: 'charts',
  summary: "One chart in the format of Blockscout's stats service",
  params: z.object({ name: z.string().meta({ description: 'Id or alias of a chart', example: 'newTxns' }) }),
  query: z.object({
    from: From,
    to: To,
    resolution: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR'], 'must be DAY, WEEK, MONTH or YEAR'))
      .default('DAY')
      .meta({ description: 'Length of the time buckets: DAY, WEEK, MONTH or YEAR' }),
  }),
  response: Line,
  errors: ['bad_query', 'chart_not_found', 'indexing', 'node_unavailable', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/lines/newTxns',
  handle: (shared: SnapshotDeps & ChartDeps, { params, query, caller, address, charge }) => {
    const deps = { ...shared, queryCharts: shared.queryCharts.paidBy({ caller, address, charge }) };
    const chart = requireChart(params.name);
    parseSubject(chart, undefined);
    const resolution = names[query.resolution];
    assertResolution(chart, resolution);
    return deps.snapshots.run(async (state) => {
      // like Blockscout, return the entire history if the request has no time range
      const window = { from: query.from ?? 0, to: query.to };
      const points = await buildChart(deps, state, chart, { resolution, ...window });
      const isWhole = await isWholeChart(deps, state, chart, { ...query, points });
      return {
        // Blockscout's format has no null, so omit points with unknown values
        chart: points.flatMap(({ time, end, value, partial }) =>
          value === null
            ? []
            : [{ date: isoDay(time), date_to: isoDay(end - 1), value, is_approximate: partial || !isWhole }],
        ),
        info: lineInfo(chart),
      };
    });
  },
});

const updateStatuses = [
  'all_status',
  'independent_status',
  'blocks_dependent_status',
  'internal_transactions_dependent_status',
  'user_ops_dependent_status',
] as const;
const UpdateState = z.enum(['RUNNING_INITIAL_UPDATE', 'COMPLETED_INITIAL_UPDATE']);

/** @source @blockscout/stats-types UpdateStatus */
export const getUpdateStatus = defineRoute({
  id: 'getUpdateStatus',
  base: '/api/v1',
  path: '/update-status',
  methods: ['get'],
  tag: 'charts',
  summary: 'Whether all charts are complete, in the format of Blockscout stats',
  description:
    'internal_transactions_dependent_status is complete only if all blocks have traces; the other ones do not wait for traces.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject(Object.fromEntries(updateStatuses.map((name) => [name, UpdateState])))
    .meta({ id: 'UpdateStatus' }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/update-status',
  handle: (deps: SnapshotDeps & { readonly traced: TracedReader }) =>
    deps.snapshots.run(async (state) => {
      if (state.head < state.startBlock) throw new ApiProblem('indexing', 'no block is indexed yet: try again later');
      const hasBlocks = isCertain(state);
      const hasCalls = hasBlocks && isTraced(await deps.traced.ranges(state), state, state.startBlock, state.head);
      const isComplete = (name: string) => (name.startsWith('internal_') ? hasCalls : hasBlocks);
      return Object.fromEntries(
        updateStatuses.map((name) => [
          name,
          isComplete(name) ? ('COMPLETED_INITIAL_UPDATE' as const) : ('RUNNING_INITIAL_UPDATE' as const),
        ]),
      );
    }),
});
