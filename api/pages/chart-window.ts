import { parseIsoDay } from '#chain/codec/iso-time.ts';
import type { Resolution } from '../terms/buckets.ts';

/** Longest time range of a chart by resolution, seconds. It limits a chart to a few hundred values. */
const longest: readonly (readonly [Resolution, number])[] = [
  ['5min', 86_400],
  ['hour', 10 * 86_400],
  ['day', 500 * 86_400],
  ['week', 2_500 * 86_400],
  ['month', 12_000 * 86_400],
];

/** Returns the finest offered resolution for a chart's time range, otherwise the coarsest one. */
export function pickResolution(seconds: number, offered: readonly Resolution[]): Resolution {
  const fitting = longest.find(([name, maxSeconds]) => seconds <= maxSeconds && offered.includes(name));
  return fitting?.[0] ?? (offered.includes('year') ? 'year' : (offered.at(-1) ?? 'day'));
}

/** Returns the length of a chart's time range within the times of the chain's blocks. */
export function spanSeconds(requested: { from?: string; to?: string }, first: number, last: number): number {
  const from = Math.max(first, parseMoment(requested.from) ?? first);
  const to = Math.min(last, parseMoment(requested.to) ?? last);
  return Math.max(0, to - from);
}

function parseMoment(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : parseIsoDay(text);
}
