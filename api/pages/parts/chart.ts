/** Renders a chart and the table of its values, which the script reads. */
import type { z } from 'zod';
import { axisNames, bucketName, computeShape } from '../../drawing/chart-shape.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { tickText } from '../../drawing/scale.ts';
import type { getChart } from '../../routes/charts/get-chart.ts';

export type ChartReply = z.infer<typeof getChart.response>;
type Points = readonly Pick<ChartReply['points'][number], 'timestamp' | 'value' | 'partial'>[];

/** The SVG of a chart is stretched, so its labels are HTML outside it. */
const [width, height] = [1_000, 300];

function shapeView({ paths }: Pick<ReturnType<typeof computeShape>, 'paths'>): Html {
  const fixed = html` vector-effect="non-scaling-stroke"`;
  return html`${paths.map(({ kind, d }) => html`<path class="${kind}" d="${d}"${kind === 'line' && fixed}/>`)}`;
}

interface DrawnChart {
  readonly chart: Pick<ChartReply['chart'], 'title' | 'unit' | 'kind'>;
  readonly points: Points;
  readonly resolution: string;
  /** Whether the page reads a time range from the URL parameters from and to. */
  readonly canZoom?: boolean;
}

export function chartFigure({ chart, points, resolution, canZoom = false }: DrawnChart): Html {
  if (points.length === 0) return html`<p class="empty">No data in this time range.</p>`;
  const { scale, ...shape } = computeShape(points, chart.kind === 'flow', { width, height });
  const unit = chart.unit ?? '';
  const [low = 0, next = 1] = scale.ticks;
  const step = next - low;
  const lines = scale.ticks.map((_, i) => {
    const top = Number(((height * i) / (scale.ticks.length - 1)).toFixed(1));
    return html`<path d="M0 ${top}H${width}" vector-effect="non-scaling-stroke"/>`;
  });
  const labels = axisNames(points, resolution);
  const names = labels.map((name, i) => (name === labels[i - 1] ? '' : name));
  return html`<figure class="chart" data-chart data-shape="${shape.isBars ? 'bars' : 'line'}" data-unit="${unit}"${canZoom && html` data-zoom`}>
<p class="readout" aria-live="polite"></p>
<div class="plot"><ol class="y" aria-hidden="true">${[...scale.ticks].reverse().map((tick) => html`<li>${tickText(tick, step)}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${chart.title}, ${points.length} values, listed in the table below"><g class="grid">${lines}</g>${shapeView(shape)}</svg>
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
  const shape = computeShape(newest, chart.kind === 'flow', size);
  return html`<svg class="spark" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="img" aria-label="${chart.title}">${shapeView(shape)}</svg>`;
}
