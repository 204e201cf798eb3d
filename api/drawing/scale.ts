/** Scales and SVG paths of charts. Floats are precise enough for pixels. */

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** @param fromZero the scale includes zero */
export function createScale(values: readonly number[], fromZero: boolean, steps = 4): Scale {
  const highest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const lowest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(highest)) return { low: 0, high: 1, ticks: [0, 1] };
  const spread = (highest - lowest) / highest;
  // floats cannot divide a smaller spread into steps
  const isNear = !fromZero && lowest > 0 && spread < 0.6 && (spread === 0 || spread > 1e-9);
  const [base, top] = isNear ? [lowest, highest] : [Math.min(0, lowest), Math.max(0, highest)];
  const step = niceStep((top - base || top || 1) / steps);
  const low = Math.floor(base / step) * step;
  const count = Math.max(1, Math.ceil((top - low) / step - 1e-9));
  return { low, high: low + count * step, ticks: Array.from({ length: count + 1 }, (_, i) => low + i * step) };
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const suffixes = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/**
 * Shortens a number for the scale of a chart, for example to 12k.
 * @param step difference of neighbouring numbers, whose texts must differ
 */
export function tickText(value: number, step: number): string {
  const [size, suffix] = suffixes.find(([size]) => Math.abs(value) >= size * 10) ?? [1, ''];
  const digits = value === 0 ? 4 : Math.ceil(Math.log10(Math.abs(value) / step)) + 2;
  return `${Number((value / size).toPrecision(Math.min(Math.max(digits, 4), 15)))}${suffix}`;
}

/** Returns the distance of each value from the top edge of the chart; null for a missing value. */
export function heights(values: readonly (number | null)[], { low, high }: Scale, height: number): (number | null)[] {
  return values.map((value) =>
    value === null ? null : Number((height * (1 - (value - low) / (high - low))).toFixed(1)),
  );
}

/** Returns the SVG path of a line, with gaps at missing values. */
export function linePath(tops: readonly (number | null)[], width: number): string {
  const step = tops.length > 1 ? width / (tops.length - 1) : 0;
  let pen = 'M';
  return tops
    .map((top, i) => {
      if (top === null) {
        pen = 'M';
        return '';
      }
      const point = `${pen}${(i * step).toFixed(1)} ${top}`;
      // a single value is a tiny line with round ends: it looks like a dot
      const isAlone = pen === 'M' && tops[i + 1] == null;
      pen = 'L';
      return isAlone ? `${point}h0.1` : point;
    })
    .join('');
}

/** Returns the SVG path of the area below a line; empty if a value is missing. */
export function areaPath(tops: readonly (number | null)[], width: number, height: number): string {
  if (tops.length < 2 || tops.some((top) => top === null)) return '';
  return `${linePath(tops, width)}V${height}H0Z`;
}

/**
 * Returns the SVG path of bars.
 * @param zero distance of the value 0 from the top edge: bars of negative values hang from it
 */
export function barsPath(tops: readonly (number | null)[], width: number, zero: number): string {
  const slot = width / Math.max(1, tops.length);
  const gap = Math.min(3, slot * 0.2);
  return tops
    .map((top, i) => {
      if (top === null || top === zero) return '';
      const left = (i * slot + gap / 2).toFixed(1);
      return `M${left} ${zero}V${top}h${(slot - gap).toFixed(1)}V${zero}Z`;
    })
    .join('');
}
