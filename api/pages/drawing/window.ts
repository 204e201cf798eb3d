/** How much time a chart is about, and into what pieces that is cut. */
import type { Resolution } from '../../terms/buckets.ts';

/** Longest window of each resolution, seconds: few hundred values are drawn and can be read. */
const longest: readonly (readonly [Resolution, number])[] = [
  ['5min', 86_400],
  ['hour', 10 * 86_400],
  ['day', 500 * 86_400],
  ['week', 2_500 * 86_400],
  ['month', 12_000 * 86_400],
];

/** The finest that a chart has and that fits; else its coarsest. */
export function suitedResolution(seconds: number, offered: readonly Resolution[]): Resolution {
  const fitting = longest.find(([name, most]) => seconds <= most && offered.includes(name));
  return fitting?.[0] ?? (offered.includes('year') ? 'year' : (offered.at(-1) ?? 'day'));
}

/** Of the window that is asked for, within the chain. @param first and last time of the chain, Unix seconds */
export function spanSeconds(asked: { from?: string; to?: string }, first: number, last: number): number {
  const from = Math.max(first, momentOf(asked.from) ?? first);
  const to = Math.min(last, momentOf(asked.to) ?? last);
  return Math.max(0, to - from);
}

/** Undefined where the text is none; the route says what is wrong with it. */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(`${text}T00:00:00Z`) / 1000;
  return Number.isFinite(time) ? time : undefined;
}
