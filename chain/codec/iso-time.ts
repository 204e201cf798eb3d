/** Formats times as ISO 8601, UTC, without fractions of a second. */

export function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

export const isoTimeFromMs = (unixMs: number): string => isoTime(Math.floor(unixMs / 1000));

/** Returns null for 0, which means never. @param ms Unix ms */
export const isoTimeOrNull = (ms: number): string | null => (ms === 0 ? null : isoTimeFromMs(ms));
