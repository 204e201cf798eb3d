import type { RunningEngine } from './processes.ts';

export async function postQuery(
  engine: RunningEngine,
  sql: string | Buffer,
  parameters: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const reply = await fetch(`${engine.origin}/?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    body: typeof sql === 'string' ? sql : new Uint8Array(sql),
    headers: { ...engine.headers, ...headers },
  });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

export const getQuery = (engine: RunningEngine, sql: string): Promise<Response> =>
  fetch(`${engine.origin}/?query=${sql}`, { headers: engine.headers });
