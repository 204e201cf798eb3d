/** Formats times as ISO 8601, UTC, without fractions of a second. */

export function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Returns the start of a day YYYY-MM-DD, Unix seconds; undefined if the day does not exist. */
export function parseIsoDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse() reads 2026-02-30 as 2 March
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms / 1000 : undefined;
}

export const isoTimeFromMs = (unixMs: number): string => isoTime(Math.floor(unixMs / 1000));

/** Returns null for 0 (never). @param ms Unix ms */
export const isoTimeOrNull = (ms: number): string | null => (ms === 0 ? null : isoTimeFromMs(ms));
