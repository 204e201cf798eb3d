import { pause } from './shutdown.ts';

/** Waits as the header Retry-After demands, at most `maxMs`. @source RFC 9110 10.2.3 */
export async function waitRetryAfter(
  header: string | string[] | undefined,
  maxMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (typeof header !== 'string') return;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  const waitMs = Math.min(Math.max(seconds * 1000, 0), maxMs);
  if (!Number.isFinite(waitMs) || waitMs === 0) return;
  await pause(waitMs, signal);
}
