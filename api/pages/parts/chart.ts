/** Renders a chart and a table of its values; the script reads the table. */
import type { z } from 'zod';
import type { getChart } from '../../routes/charts/get-chart.ts';
import { areaPath, barsPath, createScale, heights, linePath, tickText } from '../drawing/scale.ts';
import { type Html, html } from '../html.ts';
import { grouped } from './number.ts';
import { utc } from './time.ts';

export type ChartReply = z.infer<typeof getChart.response>;
type Points = readonly Pick<ChartReply['points'][number], 'timestamp' | 'value' | 'partial'>[];

/** The SVG of a chart is stretched, so its labels are HTML outside the SVG. */
const [width, height] = [1_000, 300];
/** Maximum number of bars: charts with more values are drawn as a line. */
const maxBars = 180;

function drawing(points: Points, isFlow: boolean, size: { width: number; height: number }) {
  const values = points.map(({ value }) => (value === null ? null : Number(value)));
  const isBars = isFlow && points.length <= maxBars;
  const scale = createScale(
    values.filter((value) => value !== null),
    isFlow,
  );
  const tops = heights(values, scale, size.height);
  const shape = isBars
    ? html`<path class="bars" d="${barsPath(tops, size.width, size.height)}"/>`
    : html`<path class="area" d="${areaPath(tops, size.width, size.height)}"/><path class="line" d="${linePath(tops, size.width)}" vector-effect="non-scaling-stroke"/>`;
  return { scale, shape, isBars };
}

function bucketName(timestamp: number, resolution: string): string {
  const text = utc(timestamp);
  if (resolution === 'year') return text.slice(0, 4);
  if (resolution === 'month') return text.slice(0, 7);
  return resolution === 'day' || resolution === 'week' ? text.slice(0, 10) : text.slice(5, 16);
}

/** What chartFigure() draws. */
interface DrawnChart {
  readonly chart: Pick<ChartReply['chart'], 'title' | 'unit' | 'kind'>;
  readonly points: Points;
  readonly resolution: string;
}

export function chartFigure({ chart, points, resolution }: DrawnChart): Html {
  if (points.length === 0) return html`<p class="empty">No data in this time range.</p>`;
  const { scale, shape, isBars } = drawing(points, chart.kind === 'flow', { width, height });
  const unit = chart.unit ?? '';
  const [low = 0, next = 1] = scale.ticks;
  const step = next - low;
  const lines = scale.ticks.map((_, i) => {
    const top = Number(((height * i) / (scale.ticks.length - 1)).toFixed(1));
    return html`<path d="M0 ${top}H${width}" vector-effect="non-scaling-stroke"/>`;
  });
  const named = new Set([0, 0.25, 0.5, 0.75, 1].map((at) => Math.round(at * (points.length - 1))));
  const labels = points.filter((_, i) => named.has(i));
  const names = [...new Set(labels.map(({ timestamp }) => bucketName(timestamp, resolution)))];
  return html`<figure class="chart" data-chart data-shape="${isBars ? 'bars' : 'line'}" data-unit="${unit}">
<p class="readout" aria-live="polite"></p>
<div class="plot"><ol class="y" aria-hidden="true">${[...scale.ticks].reverse().map((tick) => html`<li>${tickText(tick, step)}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${chart.title}, ${points.length} values, listed in the table below"><g class="grid">${lines}</g>${shape}</svg>
<ol class="x" aria-hidden="true">${names.map((name) => html`<li>${name}</li>`)}</ol></div>
<details class="more"><summary>Values</summary><div class="scroll" tabindex="0" role="region" aria-label="Values"><table class="plain"><thead><tr><th scope="col">UTC</th><th scope="col">${chart.title}${unit && ` (${unit})`}</th></tr></thead>
<tbody>${points.map(
    ({ timestamp, value, partial }) =>
      html`<tr data-at="${timestamp}"><td>${bucketName(timestamp, resolution)}</td><td class="number">${value === null ? '–' : grouped(value)}${partial && html` <small>so far</small>`}</td></tr>
`,
  )}</tbody></table></div></details></figure>`;
}

export function sparkline({ chart, points }: ChartReply, last = 96): Html {
  const newest = points.slice(-last);
  const size = { width: 400, height: 64 };
  if (newest.length < 2) return html`<p class="muted">Not enough blocks for a chart yet.</p>`;
  const { shape } = drawing(newest, chart.kind === 'flow', size);
  return html`<svg class="spark" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="img" aria-label="${chart.title}">${shape}</svg>`;
}
