import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { Picture } from '../../drawing/chart-picture.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { assertCovered, indexInfo } from '../../read/chain/freshness.ts';
import { buildChart } from '../../read/charts/build-chart.ts';
import { charts } from '../../read/charts/catalogue/index.ts';
import type { Chart } from '../../read/charts/chart.ts';
import { assertNoEarlierBlocks, isWholeChart } from '../../read/charts/earlier-blocks.ts';
import type { ChartDeps } from '../../read/charts/own-series.ts';
import { assertResolution, parseSubject, requireChart } from '../../read/charts/require-chart.ts';
import { type Point, readWindowBuckets, type WindowQuery } from '../../read/charts/window-buckets.ts';
import { chargeRequests, type Payer } from '../../read/query/query-turns.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { Count, IndexInfo, IsoTime, UnixSeconds } from '../../terms/primitives.ts';
import { From, getSectionTitle, ResolutionName, Subject, To } from './chart-query.ts';
import { toCsv } from './csv.ts';
import { csvHeaders } from './csv-headers.ts';
import {
  exactUpTo,
  isPicture,
  notExactUpTo,
  pictureFormats,
  pictureMediaTypes,
  pictureReply,
} from './picture-reply.ts';

export const ChartPoint = z
  .strictObject({
    timestamp: UnixSeconds.meta({ description: 'Start of the time bucket, Unix seconds' }),
    datetime: IsoTime,
    value: z.string().nullable().meta({
      description:
        'Value of the chart in this time bucket, decimal; null if the chart is a rate and the bucket has no data',
    }),
    partial: z.boolean().meta({ description: 'true if this time bucket has not ended yet' }),
  })
  .meta({ id: 'ChartPoint' });

export const chartPoint = ({ time, value, partial }: Point): z.input<typeof ChartPoint> => ({
  timestamp: time,
  datetime: isoTime(time),
  value,
  partial,
});

const ChartInfo = z
  .strictObject({
    id: z.string(),
    aliases: z.array(z.string()),
    section: z.string(),
    title: z.string(),
    unit: z.string().nullable(),
    description: z.string(),
    definition: z.string(),
    tables: z.array(z.string()),
    kind: z.enum(['flow', 'rate', 'growth']),
    resolutions: z.array(z.string()),
    subject: z.enum(['validator', 'method', 'token', 'address', 'pool']).nullable().meta({
      description:
        'Kind of object that the parameter `subject` must name, for example a token; null if the chart is about the entire chain',
    }),
  })
  .meta({ id: 'ChartInfo' });

function chartInfo(chart: Chart): z.input<typeof ChartInfo> {
  const { id, aliases, title, unit, definition, tables, kind, resolutions, subject } = chart;
  return {
    id,
    aliases: [...aliases],
    section: getSectionTitle(chart),
    title,
    unit,
    description: definition,
    definition,
    tables: [...tables],
    kind,
    resolutions: [...resolutions],
    subject: subject ?? null,
  };
}

/** @source docs/charts.md */
export const getChart = defineRoute({
  id: 'getChart',
  base: '/api/v1',
  path: '/stats/charts/:chart_type',
  methods: ['get'],
  tag: 'charts',
  summary: 'One chart',
  description:
    'Returns the points of a chart in the requested time range, up to the newest block. With `from`, each 500 time buckets count as one more request. The last point is partial until its time bucket ends. With START_BLOCK, index.complete is false for running totals, first occurrences, new holders, trades and a time range that begins before this block.',
  params: z.object({ chart_type: z.string().meta({ description: 'Id or alias of a chart', example: 'newTxns' }) }),
  query: z.object({
    from: From,
    to: To,
    resolution: ResolutionName.default('day'),
    subject: Subject,
    format: z
      .enum(['json', 'csv', ...pictureFormats], 'must be json, csv, svg or png')
      .default('json')
      .meta({ description: 'Format of the reply; svg and png are pictures, 1200 × 630 pixels' }),
  }),
  response: z
    .strictObject({
      chart: ChartInfo,
      resolution: z.string(),
      points: z.array(ChartPoint),
      updatedAtBlock: Count,
      index: IndexInfo,
    })
    .meta({ id: 'Chart' }),
  errors: ['bad_query', 'chart_not_found', 'indexing', 'node_unavailable', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 1,
  mediaTypes: ['application/json', 'text/csv; charset=utf-8', ...pictureMediaTypes],
  example: '/stats/charts/newTxns?resolution=day',
  handle: async (
    shared: SnapshotDeps & ChartDeps & NetworkDeps,
    { params, query: { format, subject: text, ...query }, caller, address, charge },
  ) => {
    const deps = { ...shared, queryCharts: shared.queryCharts.paidBy({ caller, address, charge }) };
    const chart = requireChart(params.chart_type);
    assertResolution(chart, query.resolution);
    const subject = parseSubject(chart, text);
    await chargeBuckets(deps, query, charge);
    return deps.snapshots.run(async (state) => {
      const points = await buildChart(deps, state, chart, { ...query, subject });
      const range = { ...query, points };
      if (format === 'csv') {
        await assertNoEarlierBlocks(deps, state, chart, range);
        await assertChartCovered(deps, state, chart, points);
        return chartCsv(state, chart, points);
      }
      const asked = { chart, resolution: query.resolution, subject: text, points };
      const isWhole = await isWholeChart(deps, state, chart, range);
      if (isPicture(format)) return pictureReply(format, chartPicture(deps, state, asked, isWhole));
      const index = indexInfo(deps, state);
      return {
        chart: chartInfo(chart),
        resolution: query.resolution,
        updatedAtBlock: state.head,
        points: points.map(chartPoint),
        index: { ...index, complete: index.complete && isWhole },
      };
    });
  },
});

/** Time buckets that cost as much as one request. */
const bucketsPerCost = 500;

/** Charges the buckets of a long chart before reading them. @throws ApiProblem rate_limited */
async function chargeBuckets(deps: SnapshotDeps & ChartDeps, query: WindowQuery, charge: Payer['charge']) {
  if (query.from === undefined) return; // few buckets
  const state = await deps.snapshots.current();
  const window = state && (await readWindowBuckets(deps, state, query));
  await chargeRequests(charge, Math.floor((window?.starts.length ?? 0) / bucketsPerCost), 'chart');
}

/** CSV has no field for missing blocks. @throws ApiProblem indexing if blocks of the chart are missing */
async function assertChartCovered(deps: ChartDeps, state: ChainState, chart: Chart, points: readonly Point[]) {
  const [point] = points;
  if (!point) return;
  const needsAll = chart.kind === 'growth' || chart.needsAllBlocks;
  const from = needsAll ? undefined : await deps.blockTimes.blockAt(state, point.time);
  // `from` is the first indexed block: the one before may be missing and belong to the range, so check it too
  const first = Math.max(state.startBlock, (from ?? state.startBlock) - 1);
  assertCovered(deps, state, { from: first, to: state.head }, 'the chart is incomplete');
}

interface AskedChart {
  readonly chart: Chart;
  readonly resolution: string;
  readonly subject: string | undefined;
  readonly points: readonly Point[];
}

function chartPicture({ settings }: NetworkDeps, state: ChainState, asked: AskedChart, isWhole: boolean): Picture {
  const { chart, resolution, subject, points } = asked;
  return {
    title: chart.subject === undefined || subject === undefined ? chart.title : `${chart.title}: ${subject}`,
    unit: chart.unit ?? '',
    resolution,
    isFlow: chart.kind === 'flow',
    series: [{ name: chart.title, points: points.map(chartPoint), total: null }],
    note: isWhole ? exactUpTo(state.head, points.at(-1)?.partial === true) : notExactUpTo(state),
    chainName: settings.network.chainName,
  };
}

function chartCsv(state: ChainState, chart: Chart, points: readonly Point[]): OtherReply {
  const rows = points.map(({ time, value }) => [isoTime(time), time, value]);
  const headers = csvHeaders(chart.id, state, points);
  return new OtherReply('text/csv; charset=utf-8', toCsv(['Date(UTC)', 'UnixTimeStamp', 'Value'], rows), headers);
}

export const listCharts = defineRoute({
  id: 'listCharts',
  base: '/api/v1',
  path: '/stats/charts',
  methods: ['get'],
  tag: 'charts',
  summary: 'List of charts',
  description: 'Returns title, unit, definition, source tables and resolutions of each chart.',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({ items: z.array(ChartInfo), total: Count }),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/stats/charts',
  handle: async () => ({ items: charts.map(chartInfo), total: charts.length }),
});
