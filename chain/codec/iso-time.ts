/** Times as replies show them: ISO 8601, UTC, whole seconds, since that is what blocks carry. */

export function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The same of Unix milliseconds; the part of a second is cut off. */
export const isoTimeOfMs = (unixMs: number): string => isoTime(Math.floor(unixMs / 1000));
