import { request } from 'undici';
import type { Database } from '#sql/client.ts';

export interface Subject {
  readonly origin: string;
  readonly database: Database;
  readonly head: number;
  readonly requests: number;
  readonly pid: number;
}

/** Returns the ms from a request until its complete body has arrived. @throws Error for every status but 200 */
export async function timeOfRequest(origin: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const reply = await request(origin + path);
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${path}: HTTP status ${reply.statusCode} ${text.slice(0, 300)}`);
  return performance.now() - startedAt;
}
