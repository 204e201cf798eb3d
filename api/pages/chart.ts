import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import type { SubjectKind } from '../read/charts/own-series.ts';
import { requireChart } from '../read/charts/require-chart.ts';
import type { SnapshotDeps, TimeDeps } from '../read/reader-deps.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { resolutions } from '../terms/buckets.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from './ask.ts';
import { pickResolution, spanSeconds } from './chart-window.ts';
import { definePage, type PageRequest } from './page.ts';
import { chartFigure } from './parts/chart.ts';
import { embedHtml, type OriginDeps } from './parts/embed.ts';
import { dayInput, keepForm, momentInput, withSeconds } from './parts/filters.ts';
import { linkTo } from './parts/pager.ts';

const [hour, day] = [3_600, 86_400];
const ranges = [
  ['24 hours', day],
  ['7 days', 7 * day],
  ['30 days', 30 * day],
  ['90 days', 90 * day],
  ['1 year', 365 * day],
] as const;

const subjectLabels: Readonly<Record<SubjectKind, string>> = {
  validator: 'Validator',
  method: 'Method',
  token: 'Token',
  address: 'Address',
  pool: 'Pool',
};

export type ChartPageDeps = RouteDeps<typeof getChart> & TimeDeps & SnapshotDeps;

/** Without a resolution, picks one for the time range. */
async function planChart(deps: ChartPageDeps, id: string, query: URLSearchParams) {
  const chart = requireChart(id);
  const [first = 0, last] = await deps.snapshots.run((state) =>
    Promise.all([deps.blockTimes.chartStart(state), deps.blockTimes.head(state)]),
  );
  const requested = withSeconds(readParameters(query, 'from', 'to', 'resolution'), 'from', 'to');
  const of = chart.subject === undefined ? {} : readParameters(query, 'subject');
  const resolution = requested.resolution ?? pickResolution(spanSeconds(requested, first, last), chart.resolutions);
  const window = { from: requested.from ?? String(first), ...(requested.to && { to: requested.to }) };
  return { chart, last, requested, of, resolution, window };
}

type ChartPlan = Awaited<ReturnType<typeof planChart>>;

const read = (deps: ChartPageDeps, { chart, window, of, resolution }: ChartPlan) =>
  callRoute(deps, getChart, { chart_type: chart.id }, { ...window, ...of, resolution });

export async function readChart(deps: ChartPageDeps, id: string, query: URLSearchParams) {
  const plan = await planChart(deps, id, query);
  return { ...plan, reply: await read(deps, plan) };
}

/**
 * Returns the error instead of throwing it if blocks have no trace: the page keeps its form, and the reader can choose
 * another time range.
 */
async function readTraced(deps: ChartPageDeps, plan: ChartPlan) {
  if (!plan.chart.tables.includes('internal_calls')) return read(deps, plan);
  return read(deps, plan).catch(returnProblem);
}

export const chartPage = definePage({
  id: 'chart',
  path: '/charts/:chart_type',
  maxAgeSeconds: 1,
  handle: async (deps: ChartPageDeps & OriginDeps, request) => {
    const { query, params } = request;
    const plan = await planChart(deps, params.chart_type, query);
    const { chart, requested, of, resolution, window } = plan;
    const form = formView(request, plan);
    const reply = await readTraced(deps, plan).catch((error: unknown) => keepForm(error, form));
    const data = `/api/v1/stats/charts/${chart.id}?${new URLSearchParams({ ...window, ...of, resolution })}`;
    const own = { ...requested, ...of };
    const pinned = `${chart.id}?${new URLSearchParams(own)}`;
    // without an end, the picture shows the newest values
    const fixed = requested.to ? window : {};
    const picture = `/api/v1/stats/charts/${chart.id}?${new URLSearchParams({ ...fixed, ...of, resolution, format: 'svg' })}`;
    const body = html`<div class="title"><h1>${chart.title}</h1><p>${chart.definition}.${of.subject && html` <code>${of.subject}</code>`}</p></div>
<section id="part">${form}
${reply instanceof ApiProblem ? html`<p class="empty">${reply.detail}</p>` : html`${figure(reply, resolution, data)}${embedHtml(deps, chart.title, `/charts/${pinned}`, picture)}`}
<p data-pin="chart=${encodeURIComponent(pinned)}"><a href="/charts">All charts</a> · <a href="/board">Board</a></p></section>`;
    return { title: chart.title, body, ...(reply instanceof ApiProblem ? {} : { index: reply.index }) };
  },
});

/** Links to time ranges, and the form of the chart. */
function formView(request: PageRequest, { chart, last, requested, of, window }: ChartPlan): Html {
  const range = (name: string, from: string | undefined) =>
    html`<a class="button small" href="${linkTo(request, { from, to: undefined, resolution: undefined })}"${isShown(requested, from) && html` aria-current="true"`}>${name}</a>`;
  const fitting = resolutions.filter((name) => chart.resolutions.includes(name));
  const subject =
    chart.subject !== undefined &&
    html`<label>${subjectLabels[chart.subject]} <input name="subject" value="${of.subject}" maxlength="100" required autocomplete="off" spellcheck="false"></label> `;
  return html`<div class="ranges">${ranges.map(([name, length]) => range(name, String(last - length)))}${range('All', undefined)}</div>
<form class="filter" action="/charts/${chart.id}">${subject}<label>From ${requested.from === undefined ? dayInput('from', window.from) : momentInput('from', requested.from)}</label> <label>To ${momentInput('to', requested.to ?? '')}</label> <label>Resolution <select name="resolution"><option value="">automatic</option>${fitting.map(
    (name) => html`<option value="${name}"${name === requested.resolution && html` selected`}>${name}</option>`,
  )}</select></label> <button>Show</button></form>`;
}

/** Returns whether a link leads to about the current range. The start of each range moves with the chain head. */
function isShown(requested: ChartPlan['requested'], from: string | undefined): boolean {
  if (requested.to !== undefined) return false;
  if (from === undefined || requested.from === undefined) return from === requested.from;
  return Math.abs(Number(from) - Number(requested.from)) < hour;
}

function figure(reply: Awaited<ReturnType<typeof read>>, resolution: string, data: string): Html {
  const { points, updatedAtBlock, index } = reply;
  return html`${chartFigure({ ...reply, canZoom: true })}
<p class="muted found">${grouped(points.length)} ${points.length === 1 ? 'value' : 'values'}, one per ${resolution}, ${index.complete ? 'exact up to' : 'not complete up to'} block ${grouped(updatedAtBlock)}. <a href="${data}&amp;format=csv" download>CSV</a> · <a href="${data}">JSON</a> · <a href="${data}&amp;format=svg">SVG</a> · <a href="${data}&amp;format=png">PNG</a></p>`;
}
