/** Starts the API in the process of the bench, so that the bench can switch caches off between requests. */

import type { AddressInfo } from 'node:net';
import { createApp } from '#api/app.ts';
import { createApiDeps } from '#api/compose.ts';
import type { ApiDeps } from '#api/deps.ts';
import { listen } from '#api/main.ts';
import { apiSettings } from '#api/settings.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { withDevEconomy } from '#devchain/known-economy.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { readConfig } from '#runtime/config.ts';
import { silentLog } from '#runtime/log.ts';
import { readServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';

export interface BenchApi {
  readonly origin: string;
  readonly deps: ApiDeps;
}

export async function startBenchApi(
  database: Database,
  env: Record<string, string>,
  change: (deps: ApiDeps) => Partial<ApiDeps> = () => ({}),
): Promise<BenchApi> {
  const config = readConfig(env);
  const client = new RpcClient({ urls: config.rpcUrls, timeoutMs: 5_000, maxInFlight: 32 });
  const upstreams = await Upstreams.open({
    writerUrl: config.writerUrl,
    readUrls: config.readPoolUrls,
    chainId: config.CHAIN_ID,
  });
  const serviceKey = await readServiceKey(config);
  const made = createApiDeps({
    userDatabase: undefined,
    database,
    client,
    upstreams,
    log: silentLog,
    serviceKey,
    settings: apiSettings(withDevEconomy(config)),
  });
  const deps = { ...made, ...change(made) };
  const app = createApp(deps, { checkedShare: 0.01, cachesReplies: true });
  const server = await listen(app.callback(), 0, '127.0.0.1');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, deps };
}
