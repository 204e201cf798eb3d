import { isoTime } from '#chain/codec/iso-time.ts';
import { type Html, html } from '../../drawing/html.ts';

const units = [
  [31_557_600, 'yr'],
  [2_629_800, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Seconds in the future that are shown as now, because clocks of nodes differ. */
const maxClockLead = 60;

/** Formats relative times. assets/scripts/40-time.js must write the same format. */
function ago(timestamp: number, now: number): string {
  const seconds = Math.abs(now - timestamp);
  const [length, unit] = units.find(([length]) => seconds >= length) ?? [1, 's'];
  const span = `${Math.floor(seconds / length)} ${unit}`;
  return timestamp > now + maxClockLead ? `in ${span}` : `${timestamp > now ? '0 s' : span} ago`;
}

/** @param iso time as in API replies */
export const toSeconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

export const utc = (timestamp: number): string => isoTime(timestamp).replace('T', ' ').replace('Z', '');

export function when(timestamp: number, now: number): Html {
  return html`<time datetime="${isoTime(timestamp)}"><span data-ago="${timestamp}">${ago(timestamp, now)}</span> <small>${utc(timestamp)} UTC</small></time>`;
}

export function age(timestamp: number, now: number): Html {
  return html`<time datetime="${isoTime(timestamp)}" title="${utc(timestamp)} UTC" data-ago="${timestamp}">${ago(timestamp, now)}</time>`;
}
