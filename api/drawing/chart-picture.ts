/** Draws charts as SVG pictures without a style sheet, for documents, chats and other websites. */
import {
  axisNames,
  computeScale,
  computeShape,
  type DrawnPoints,
  labelledIndexes,
  type Size,
  styledPath,
  toNumbers,
} from './chart-shape.ts';
import { grouped } from './grouped.ts';
import { type Html, html } from './html.ts';
import { heights, linePath, tickText } from './scale.ts';
import { cut, shorten } from './shorten.ts';

interface PictureSeries {
  readonly name: string;
  readonly points: DrawnPoints;
  /** Decimal, of the complete time range. */
  readonly total: string | null;
}

export interface Picture {
  readonly title: string;
  readonly unit: string;
  /** Bucket length; `all`: the picture compares the totals of the series. */
  readonly resolution: string;
  /** True if values are amounts per time bucket: the scale begins at zero. */
  readonly isFlow: boolean;
  readonly series: readonly PictureSeries[];
  /** Text below the chart: the block up to which its values are exact. */
  readonly note: string;
  readonly chainName: string;
}

/** Recommended size of preview pictures, pixels. @source Open Graph protocol, https://ogp.me */
export const pictureSize: Size = { width: 1_200, height: 630 };
const plot = { left: 110, top: 130, width: 1_050, height: 400 } as const;
/** From the explorer's light theme. */
export const colours = {
  ground: '#faf8f5',
  ink: '#1d2427',
  soft: '#59636a',
  knot: '#0f766e',
  rope: '#c2703d',
} as const;
const palette = [colours.knot, colours.rope, '#4457a5', '#a13d63', '#6b7a1e', '#5f4b8b'] as const;
const maxSeries = palette.length;
const maxTotals = 10;

export function chartSvg(picture: Picture): string {
  const { title, unit, series, note, chainName } = picture;
  const hidden = series.length - (picture.resolution === 'all' ? maxTotals : maxSeries);
  const content =
    series.length === 0 ? emptyView() : picture.resolution === 'all' ? totalsView(picture) : plotView(picture);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}" viewBox="0 0 ${pictureSize.width} ${pictureSize.height}" font-family="DejaVu Sans, Verdana, sans-serif">
<title>${title}</title><rect width="${pictureSize.width}" height="${pictureSize.height}" fill="${colours.ground}"/>
${titleView(title)}<text x="40" y="90" font-size="18" fill="${colours.soft}">${unit}</text>
${content}
<text x="40" y="612" font-size="16" fill="${colours.soft}">${note}${hidden > 0 && `; ${hidden} more groups are not drawn`}</text><text x="1160" y="612" font-size="16" text-anchor="end" fill="${colours.soft}">Cordscan · ${shorten(chainName, 40)}</text>
</svg>`.text;
}

function titleView(title: string): Html {
  const text = shorten(title, 84);
  return html`<text x="40" y="56" font-size="${text.length > 56 ? 21 : 30}" font-weight="bold" fill="${colours.ink}">${text}</text>`;
}

const emptyView = () =>
  html`<text x="600" y="330" font-size="24" text-anchor="middle" fill="${colours.soft}">No data in this time range</text>`;

function plotView({ series, isFlow, resolution }: Picture): Html {
  const drawn = series.slice(0, maxSeries);
  const points = drawn[0]?.points ?? [];
  if (points.length === 0) return emptyView();
  const { scale, paths } = drawn.length === 1 ? oneShape(points, isFlow) : drawLines(drawn, isFlow);
  const [low = 0, next = 1] = scale.ticks;
  const rows = scale.ticks.map((tick, at) => {
    const y = plot.height - (plot.height * at) / (scale.ticks.length - 1);
    return html`<path d="M0 ${y.toFixed(1)}H${plot.width}" stroke="#ddd6cc"/><text x="-12" y="${(y + 6).toFixed(1)}" font-size="16" text-anchor="end" fill="${colours.soft}">${tickText(tick, next - low)}</text>`;
  });
  const names = axisNames(points, resolution);
  const columns = labelledIndexes(points.length).map((at, i) => {
    const x = points.length === 1 ? plot.width / 2 : (plot.width * at) / (points.length - 1);
    const anchor = at === 0 ? 'start' : at === points.length - 1 ? 'end' : 'middle';
    return html`<text x="${x.toFixed(1)}" y="${plot.height + 30}" font-size="16" text-anchor="${anchor}" fill="${colours.soft}">${names[i]}</text>`;
  });
  return html`${drawn.length > 1 && legend(drawn)}<g transform="translate(${plot.left} ${plot.top})">${rows}${columns}${paths}</g>`;
}

function oneShape(points: DrawnPoints, isFlow: boolean) {
  const { scale, paths } = computeShape(points, isFlow, plot);
  return { scale, paths: paths.map((path) => styledPath(path, colours.knot)) };
}

function drawLines(series: readonly PictureSeries[], isFlow: boolean) {
  const values = series.map(({ points }) => toNumbers(points));
  const scale = computeScale(values.flat(), isFlow);
  const paths = values.map((list, at) =>
    styledPath({ kind: 'line', d: linePath(heights(list, scale, plot.height), plot.width) }, colourAt(at)),
  );
  return { scale, paths };
}

function legend(series: readonly PictureSeries[]): Html {
  const width = (pictureSize.width - 80) / series.length;
  return html`${series.map(({ name }, at) => {
    const x = 40 + at * width;
    return html`<rect x="${x.toFixed(0)}" y="104" width="14" height="14" fill="${colourAt(at)}"/><text x="${(x + 20).toFixed(0)}" y="117" font-size="15" fill="${colours.ink}">${shorten(name, Math.floor(width / 10) - 2)}</text>`;
  })}`;
}

/** Width of the longest bar, pixels. The value is to its right. */
const totalWidth = 500;
const maxTotalLength = 34;

/** Groups digits and cuts only fractions. Larger integers become powers of ten, for example 2.0923e+45. */
function totalText(total: string | null): string {
  if (total === null) return '–';
  const text = grouped(total);
  const integerLength = text.split('.')[0]?.length ?? 0;
  return integerLength > maxTotalLength ? Number(total).toExponential(4) : cut(text, maxTotalLength);
}

function totalsView({ series }: Picture): Html {
  const shown = series.slice(0, maxTotals);
  const values = shown.map(({ total }) => Number(total ?? 0));
  const greatest = Math.max(...values.map(Math.abs), 0);
  const row = 470 / Math.max(shown.length, 4);
  return html`${shown.map(({ name, total }, at) => {
    const y = 115 + at * row;
    const value = values[at] ?? 0;
    const width = greatest > 0 ? (totalWidth * Math.abs(value)) / greatest : 0;
    const middle = (y + row / 2 + 6).toFixed(1);
    return html`<text x="40" y="${middle}" font-size="16" fill="${colours.ink}">${shorten(name || 'Total', 28)}</text><rect x="330" y="${(y + row * 0.15).toFixed(1)}" width="${width.toFixed(1)}" height="${(row * 0.7).toFixed(1)}" fill="${value < 0 ? colours.rope : colours.knot}"/><text x="${(342 + width).toFixed(1)}" y="${middle}" font-size="16" fill="${colours.soft}">${totalText(total)}</text>`;
  })}`;
}

const colourAt = (at: number): string => palette[at % palette.length] ?? colours.knot;
