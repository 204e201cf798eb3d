/** A proxy that adds methods to a real node. */
import type { ApiSettings } from '#api/deps.ts';
import { type DevMethod, startDevNode } from '#devchain/dev-node.ts';
import type { Database } from '#sql/client.ts';
import { freePort } from './processes.ts';
import { type RunningApi, startApi } from './service.ts';

/** A node with the method `x_getEmission`: each block emits the same amount. @param blocks all blocks of the chain */
export const startEmittingNode = (target: string, blocks: readonly { readonly hash: string }[], perBlock: bigint) =>
  startNodeWithMethods(target, {
    x_getEmission: ([block]) => ({
      emitted: String(perBlock * BigInt(Number(block) + 1)),
      blockHash: blocks[Number(block)]!.hash,
    }),
  });

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
