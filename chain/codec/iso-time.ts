/** Times in replies: ISO 8601, UTC, whole seconds (block timestamps have no fractions). */

export function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Formats Unix milliseconds; drops the fraction of a second. */
export const isoTimeOfMs = (unixMs: number): string => isoTime(Math.floor(unixMs / 1000));
