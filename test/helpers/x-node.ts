/** A proxy that adds methods to a real node. */
import type { ApiSettings } from '#api/deps.ts';
import { type DevMethod, startDevNode } from '#devchain/dev-node.ts';
import type { Database } from '#sql/client.ts';
import { freePort } from './processes.ts';
import { type RunningApi, startApi } from './service.ts';

export async function startNodeWithMethods(target: string, methods: Readonly<Record<string, DevMethod>>) {
  const { url, stop } = await startDevNode({ port: await freePort(), host: '127.0.0.1', target, methods });
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
      await stop();
    },
  };
}
