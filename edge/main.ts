import { Upstreams } from '#gateway/upstreams.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { Edge } from './edge.ts';
import { EdgeMetrics } from './metrics.ts';

/** Runs the JSON-RPC edge until SIGTERM, then waits up to 5 s for open requests. */
export async function runEdge(config: Config): Promise<void> {
  const signal = shutdownSignal();
  const metrics = new EdgeMetrics();
  const log = createLog('edge', config.LOG_LEVEL, metrics.countLogLine);
  const upstreams = await Upstreams.open({
    writerUrl: config.writerUrl,
    readUrls: config.readPoolUrls,
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
  });
  const watching = upstreams.watch(signal);
  const { server } = new Edge({
    upstreams,
    wsUrl: config.rpcWsUrl,
    isReadOnly: config.EDGE_READ_ONLY === 'true',
    maxClients: config.EDGE_MAX_CLIENTS,
    log,
    metrics,
    signal,
    watchers: config.METRICS_FROM,
    rates: {
      mode: config.rateMode,
      proxyHops: config.TRUSTED_PROXY_HOPS,
      perAddress: config.EDGE_RATE_ADDRESS,
      perNetwork: config.EDGE_RATE_NETWORK,
      clientsPerAddress: config.EDGE_MAX_CLIENTS_ADDRESS,
      clientsPerNetwork: Math.ceil(config.EDGE_MAX_CLIENTS / 4),
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.EDGE_PORT, config.HOST, resolve);
  });
  process.send?.({ listening: config.EDGE_PORT });
  log.info({ event: 'edge_ready', url: `http://${config.HOST}:${config.EDGE_PORT}` }, 'RPC edge is ready');
  await aborted(signal);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5_000).unref();
  });
  await watching;
  await upstreams.close();
}
