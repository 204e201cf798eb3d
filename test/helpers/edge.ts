import { Edge } from '#edge/edge.ts';
import type { EdgeRates } from '#edge/edge-budgets.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { silentLog } from '#runtime/log.ts';
import { freePort } from './processes.ts';

export interface RunningEdge {
  readonly origin: string;
  readonly wsUrl: string;
  readonly upstreams: Upstreams;
  stop(): Promise<void>;
}

export interface EdgeSetting {
  readonly writerUrl: string;
  readonly readUrls?: readonly string[];
  readonly wsUrl?: string | undefined;
  readonly isReadOnly?: boolean;
  readonly rates?: Partial<EdgeRates>;
  readonly maxClients?: number;
}

export async function startEdge(setting: EdgeSetting): Promise<RunningEdge> {
  const { writerUrl, readUrls, wsUrl, isReadOnly = false, maxClients = 20_000 } = setting;
  const controller = new AbortController();
  const upstreams = new Upstreams({ writerUrl, readUrls: readUrls ?? [writerUrl] });
  await upstreams.probe();
  const watching = upstreams.watch(controller.signal);
  const { server } = new Edge({
    upstreams,
    wsUrl: wsUrl ?? writerUrl.replace('http', 'ws'),
    isReadOnly,
    maxClients,
    log: silentLog,
    rates: {
      mode: 'observe',
      perAddress: 600,
      perNetwork: 6_000,
      clientsPerAddress: 100,
      clientsPerNetwork: 5_000,
      proxyHops: 0,
      ...setting.rates,
    },
    signal: controller.signal,
    watchers: 'loopback',
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    upstreams,
    stop: async () => {
      controller.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await watching;
      await upstreams.close();
    },
  };
}
