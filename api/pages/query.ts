/** Page with a form that builds charts of filtered rows. Its URL is the chart's permalink. */
import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import {
  type Dataset,
  type DatasetName,
  datasetNames,
  datasets,
  type FilterName,
  measures,
} from '../read/query/datasets.ts';
import { datasetTitles, isFlow, measureNames, queryTitle, titled } from '../read/query/query-title.ts';
import { queryStats, showSeries } from '../routes/charts/query-stats.ts';
import { StatsQueryParameters } from '../routes/charts/stats-query-parameters.ts';
import { resolutions } from '../terms/buckets.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from './ask.ts';
import { definePage } from './page.ts';
import { chartFigure } from './parts/chart.ts';
import { embedHtml, type OriginDeps } from './parts/embed.ts';
import { type FilterField, filterForm, withSeconds } from './parts/filters.ts';
import { addressLink } from './parts/links.ts';
import { table } from './parts/table.ts';

type Result = z.infer<typeof queryStats.response>;
type ShownSeries = ReturnType<typeof showSeries>;

/** Number of groups in the drawing. The table lists all. */
const drawnGroups = 6;

const placeholders: Partial<Record<FilterName, string>> = {
  method: '0xa9059cbb',
  type: '0, 2',
  standard: 'erc20, erc721 or erc1155',
  kind: 'transaction, call',
};

const filterLabels: Readonly<Record<FilterName, string>> = {
  account: 'Sender or recipient',
  counterparty: 'Other side',
  sender: 'Sender',
  recipient: 'Recipient',
  contract: 'Contract',
  creator: 'Creator',
  producer: 'Producer',
  token: 'Token',
  method: 'Method',
  topic0: 'Topic 0',
  topic1: 'Topic 1',
  topic2: 'Topic 2',
  topic3: 'Topic 3',
  type: 'Type',
  status: 'Status',
  standard: 'Standard',
  kind: 'Kind',
  minValue: 'Smallest value',
  maxValue: 'Largest value',
};

export const queryPage = definePage({
  id: 'query',
  path: '/charts/query',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof queryStats> & OriginDeps, request) => {
    const { of, given: own, result } = await readQuery(deps, request.query);
    const body = html`<div class="title"><h1>Chart of any filter</h1><p>${!(result instanceof ApiProblem) && result.index.complete && 'Exact up to the newest block. '}The address of this page is a permalink.</p></div>
<nav class="tabs" aria-label="Rows to measure">${datasetNames.map(
      (name) =>
        html`<a href="/charts/query?of=${name}"${name === of && html` aria-current="page"`}>${datasetTitles[name]}</a>`,
    )}</nav>
<section id="part">${filterForm(request, queryFields(of), 'of', 'top', 'cumulative')}
<p class="muted">Instead of an address, <code>category:exchange</code> or <code>label:Name</code> selects all addresses of the registry with this category or label. Separate several values by commas.</p>
${result instanceof ApiProblem ? html`<p class="empty">${result.detail}</p>` : html`${resultView(result, { given: own, coin: request.coin, canZoom: true })}${embedHtml(deps, queryTitle(StatsQueryParameters.parse(own)), `/charts/query?${new URLSearchParams(own)}`, `/api/v1/stats/query?${new URLSearchParams({ ...own, format: 'svg' })}`)}`}
<p data-pin="query=${encodeURIComponent(String(new URLSearchParams(own)))}"><a href="/charts">All charts</a> · <a href="/board">Board</a></p></section>`;
    return { title: 'Chart of any filter', body, ...(result instanceof ApiProblem ? {} : { index: result.index }) };
  },
});

/** Runs the query of a page. `result` is an ApiProblem if it fails. */
export async function readQuery(deps: RouteDeps<typeof queryStats>, query: URLSearchParams) {
  // also passes parameters that the dataset lacks: a chart without a requested filter would be wrong
  const given = withSeconds({ of: 'transactions', ...readParameters(query, ...parameterNames) }, 'from', 'to');
  const of = datasetNames.find((name) => name === given.of) ?? 'transactions';
  return { of, given, result: await callRoute(deps, queryStats, {}, given).catch(returnProblem) };
}

const parameterNames = Object.keys(StatsQueryParameters.shape).filter((name) => name !== 'format');

function queryFields(of: DatasetName): FilterField[] {
  const { fields, keys, filters }: Dataset = datasets[of];
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]): FilterField => ({
    name,
    label,
    options,
  });
  const named = (list: readonly string[]) => list.map((name) => [name, titled(name)] as const);
  const keyNames = Object.keys(keys);
  const pairs = keyNames.flatMap((one, i) => keyNames.slice(i + 1).map((two) => `${one},${two}`));
  return [
    select(
      'measure',
      'Measure',
      measures.map((name) => [name, measureNames[name]]),
    ),
    select('field', 'Column', [['', '–'], ...named([...Object.keys(fields), ...keyNames])]),
    select('groupBy', 'Grouped by', [
      ['', '–'],
      ...named(keyNames),
      ...pairs.map((pair) => [pair, pair.split(',').map(titled).join(' and ')] as const),
    ]),
    {
      ...select(
        'resolution',
        'Per',
        [...resolutions, 'all'].map((name) => [name, name === 'all' ? 'all time' : name] as const),
      ),
      fallback: 'day',
    },
    { name: 'from', label: 'From', isDate: true, hasTime: true },
    { name: 'to', label: 'To', isDate: true, hasTime: true },
    ...filters.map((name) => filterField(of, name)),
  ];
}

/** A filter accepts 100 addresses. Unit: characters. */
const maxListLength = 5_000;

function filterField(of: DatasetName, name: FilterName): FilterField {
  const unit = of === 'token_transfers' ? 'smallest unit' : 'wei';
  const isAmount = name.endsWith('Value');
  const label = isAmount ? `${filterLabels[name]} (${unit})` : filterLabels[name];
  const placeholder = isAmount ? '1000000000000000000' : (placeholders[name] ?? '0x…');
  if (name !== 'status') return { name, label, placeholder, maxLength: maxListLength };
  const options = ['', 'success', 'failure'].map((one) => [one, one || 'any'] as const);
  return { name, label, options };
}

interface ResultOptions {
  /** Parameters of the query. */
  readonly given: Record<string, string>;
  readonly coin: string;
  /** Whether the page reads the chart's time range from its URL. */
  readonly canZoom: boolean;
}

export function resultView(result: Result, { given, coin, canZoom }: ResultOptions): Html {
  const { series, query, cost } = result;
  const link = (format: string) =>
    html`<a href="/api/v1/stats/query?${String(new URLSearchParams({ ...given, format }))}">${format.toUpperCase()}</a>`;
  const first = series[0];
  const summary = html`<p class="muted found">Blocks ${grouped(result.fromBlock)} to ${grouped(result.toBlock)}, estimated cost ${grouped(cost)}. ${link('json')} · ${link('csv')} · ${link('svg')} · ${link('png')} · <a href="/sql?${String(new URLSearchParams({ chart: String(new URLSearchParams(given)) }))}">SQL</a></p>`;
  if (!first) return html`<p class="empty">No block in this time range.</p>`;
  const shown = series.map((one) => showSeries(one, query.unit, coin));
  const drawn = query.resolution === 'all' ? [] : shown.slice(0, query.groupBy.length === 0 ? 1 : drawnGroups);
  const kind = isFlow(query.measure, query.cumulative) ? 'flow' : 'rate';
  return html`${query.groupBy.length > 0 || query.resolution === 'all' ? totals(shown, query.groupBy) : ''}${drawn.map(
    ({ title, keys, isOther, unit, points }) =>
      html`${title && html`<h2>${isOther ? title : Object.values(keys).map((key) => html`${keyView(key)} `)}</h2>`}${chartFigure(
        {
          chart: {
            title: title || measureNames[query.measure as keyof typeof measureNames],
            unit,
            kind,
          },
          points,
          resolution: query.resolution,
          canZoom,
        },
      )}`,
  )}${summary}`;
}

function totals(rows: readonly ShownSeries[], keys: readonly string[]): Html {
  const unit = rows[0]?.unit;
  return table({
    caption: 'Totals of the time range',
    rows,
    empty: 'No rows match.',
    columns: [
      ...keys.map((key) => ({
        title: titled(key),
        cell: (row: ShownSeries) => (row.isOther ? 'all others' : keyView(row.keys[key] ?? '')),
      })),
      {
        title: unit ? `Total (${unit})` : 'Total',
        isNumber: true,
        cell: ({ total }) => (total === null ? '–' : grouped(total)),
      },
    ],
  });
}

const keyView = (key: string) =>
  /^0x[0-9a-f]{40}$/.test(key) ? addressLink(key) : key === '0x' ? 'no method' : html`<code>${key}</code>`;
