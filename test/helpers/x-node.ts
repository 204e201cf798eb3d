/** A node that answers further methods, in front of a real one, and services that ask it. */
import { createServer } from 'node:http';
import type { ApiSettings } from '#api/deps.ts';
import type { Database } from '#sql/client.ts';
import { freePort } from './processes.ts';
import { type RunningApi, startApi } from './service.ts';

type Methods = Readonly<Record<string, () => unknown>>;

export async function startNodeWithMethods(target: string, methods: Methods) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const calls = [JSON.parse(body)].flat() as { id: unknown; method: string }[];
    const isOwn = calls.every(({ method }) => method in methods);
    const replies = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: methods[method]?.() }));
    const headers = { 'content-type': 'application/json' };
    const text = isOwn
      ? JSON.stringify(body.startsWith('[') ? replies : replies[0])
      : await (await fetch(target, { method: 'POST', headers, body })).text();
    response.writeHead(200, headers).end(text);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port}`;
  const apis: RunningApi[] = [];
  return {
    url,
    api: async (database: Database, settings: Partial<ApiSettings>) => {
      const api = await startApi(database, [url], false, settings);
      apis.push(api);
      return api;
    },
    stop: async () => {
      await Promise.all(apis.map((api) => api.stop()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
