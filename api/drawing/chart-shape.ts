import { isoTime } from '#chain/codec/iso-time.ts';
import { type Html, html } from './html.ts';
import { areaPath, barsPath, createScale, heights, linePath, type Scale } from './scale.ts';

export type DrawnPoints = readonly {
  readonly timestamp: number;
  /** Decimal; null: missing. */
  readonly value: string | null;
  /** The bucket has not ended, or begins before the requested range: its bar is paler. */
  readonly partial?: boolean;
}[];

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ShapePath {
  readonly kind: string;
  readonly d: string;
}

/** Charts with more values are drawn as a line. */
const maxBars = 180;

export const toNumbers = (points: DrawnPoints): (number | null)[] =>
  points.map(({ value }) => (value === null ? null : Number(value)));

/** @param isFlow the scale includes zero */
export const computeScale = (values: readonly (number | null)[], isFlow: boolean): Scale =>
  createScale(
    values.filter((value) => value !== null),
    isFlow,
  );

/** @param isFlow the scale includes zero, and a chart with few values has bars */
export function computeShape(
  points: DrawnPoints,
  isFlow: boolean,
  { width, height }: Size,
): { readonly scale: Scale; readonly isBars: boolean; readonly paths: readonly ShapePath[] } {
  const values = toNumbers(points);
  const isBars = isFlow && points.length <= maxBars;
  const scale = computeScale(values, isFlow);
  const tops = heights(values, scale, height);
  if (!isBars) {
    const line = { kind: 'line', d: linePath(tops, width) };
    // an area above a scale without zero would exaggerate differences
    const area = scale.low === 0 ? [{ kind: 'area', d: areaPath(tops, width, height) }] : [];
    return { scale, isBars, paths: [...area, line] };
  }
  const [zero] = heights([0], scale, height);
  const bars = (kind: string, isPartial: boolean) => ({
    kind,
    d: barsPath(
      tops.map((top, i) => ((points[i]?.partial ?? false) === isPartial ? top : null)),
      width,
      zero ?? height,
    ),
  });
  return { scale, isBars, paths: [bars('bars', false), bars('partial-bars', true)].filter(({ d }) => d !== '') };
}

/** Colours are attributes, for pictures without a style sheet. */
export function styledPath({ kind, d }: ShapePath, colour: string): Html {
  if (kind === 'line')
    return html`<path d="${d}" fill="none" stroke="${colour}" stroke-width="3" vector-effect="non-scaling-stroke"/>`;
  const opacity = { area: 0.15, 'partial-bars': 0.5 }[kind];
  return html`<path d="${d}" fill="${colour}"${opacity !== undefined && html` fill-opacity="${opacity}"`}/>`;
}

/** Returns the indexes of up to five evenly spaced values, whose times are written below a chart. */
export const labelledIndexes = (count: number): number[] => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((at) => Math.round(at * (count - 1)))),
];

/** Names a time bucket as precisely as its resolution requires, for example 2026-01 for a month. */
export function bucketName(timestamp: number, resolution: string): string {
  const text = isoTime(timestamp).replace('T', ' ');
  if (resolution === 'year') return text.slice(0, 4);
  if (resolution === 'month') return text.slice(0, 7);
  return text.slice(0, isOfDays(resolution) ? 10 : 16);
}

const isOfDays = (resolution: string) => resolution === 'day' || resolution === 'week';

/** Names the times below a chart. Times of one year omit the year, others the time of day. */
export function axisNames(points: readonly { readonly timestamp: number }[], resolution: string): string[] {
  const names = labelledIndexes(points.length).map((at) => bucketName(points[at]?.timestamp ?? 0, resolution));
  if (names.every((name) => name.length < 16)) return names;
  const isOneYear = names.every((name) => name.slice(0, 4) === names[0]?.slice(0, 4));
  return names.map((name) => (isOneYear ? name.slice(5) : name.slice(0, 10)));
}
