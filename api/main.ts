/** Process of the API: `cordscan api`. */
import { createServer, type Server } from 'node:http';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { watchHeads } from '#chain/rpc/watch-heads.ts';
import { Fleet } from '#gateway/fleet.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { createSearch } from '#semantic/create-search.ts';
import { createEmbedder } from '#semantic/embed/create-embedder.ts';
import type { Embedder } from '#semantic/embed/embedder.ts';
import { openDatabase } from '#sql/open-database.ts';
import { loadStatements } from '#sql/statements.ts';
import { AccountReader } from './account-reader.ts';
import { createApp } from './app.ts';
import { SeriesReader } from './charts/series-reader.ts';
import { ContractReader } from './contract-reader.ts';
import { AddressSets } from './deposits/address-sets.ts';
import { AnchorEvents } from './deposits/anchor-events.ts';
import type { ApiDeps } from './deps.ts';
import { headTimeReader } from './head-time.ts';
import { HolderReader } from './holder-reader.ts';
import { Memo } from './memo.ts';
import { PerState } from './per-state.ts';
import { ReplyCache } from './reply-cache.ts';
import { SnapshotReader } from './snapshot-reader.ts';
import { UnsettledReader } from './unsettled.ts';

/** Share of replies that are checked against their schema in production. */
const checkedShare = 0.01;

/** Serves until SIGTERM; requests under way are answered first. */
export async function runApi(config: Config): Promise<void> {
  const signal = shutdownSignal();
  const log = createLog('api', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs: 5_000, migrates: false });
  const client = new RpcClient({
    urls: config.rpcUrls,
    timeoutMs: Math.min(config.RPC_TIMEOUT_MS, 5_000),
    maxInFlight: 32,
  });
  const fleet = new Fleet({ writerUrl: config.writerUrl, readUrls: config.readPoolUrls });
  void fleet.watch(signal);
  const embedder = createEmbedder(config);
  const deps = createApiDeps({ database, client, fleet, log, settings: apiSettings(config), embedder });
  void watchHeads({
    client,
    wsUrl: undefined,
    pollIntervalMs: Math.max(config.POLL_INTERVAL_MS, 1_000),
    signal,
    onHead: () => {},
  });
  const server = await listen(
    createApp(deps, { checkedShare, keepsReplies: true }).callback(),
    config.PORT,
    config.HOST,
  );
  process.send?.({ listening: config.PORT });
  log.info({ event: 'api_ready', url: `http://${config.HOST}:${config.PORT}` });
  await aborted(signal);
  deps.anchorEvents.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 10_000).unref();
  });
  await client.close();
  await fleet.close();
  await embedder.close();
  await database.close();
}

export function apiSettings(config: Config): ApiDeps['settings'] {
  return {
    chainId: config.CHAIN_ID,
    freshnessToleranceBlocks: config.FRESHNESS_TOLERANCE_BLOCKS,
    addressSetLimit: config.ADDRESS_SET_LIMIT,
    adminToken: config.ADMIN_TOKEN,
    network: {
      chainName: config.CHAIN_NAME,
      nativeCurrency: { name: config.COIN_NAME, symbol: config.COIN_SYMBOL, decimals: 18 },
      rpcUrls: [config.PUBLIC_RPC_URL ?? `http://${config.HOST}:${config.EDGE_PORT}`],
      explorerUrls: [config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`],
    },
  };
}

/** @param parts its embedder absent: search by word vectors alone */
export function createApiDeps({ embedder, ...parts }: ApiParts): ApiDeps {
  const statements = loadStatements();
  const { database, log } = parts;
  const nativeSymbol = parts.settings.network.nativeCurrency.symbol;
  return {
    ...parts,
    search: createSearch({ database, statements, log, dense: embedder, nativeSymbol }),
    statements,
    snapshots: new SnapshotReader(parts.database, statements),
    replies: new ReplyCache(),
    closedTotals: new Memo(4),
    unsettled: new UnsettledReader(parts.database, statements),
    holders: new HolderReader(parts.database, statements),
    accounts: new AccountReader(parts.client),
    contracts: new ContractReader(parts.client),
    tokenTotals: new PerState(500),
    topAccounts: new PerState(2),
    series: new SeriesReader(parts.database, statements),
    chainSpan: new PerState(4),
    totals: new PerState(4),
    headTime: headTimeReader(parts.database, statements),
    anchorEvents: new AnchorEvents(parts.database, statements),
    addressSets: new AddressSets(parts.database, statements, parts.settings.addressSetLimit),
  };
}

type ApiParts = Pick<ApiDeps, 'database' | 'client' | 'fleet' | 'log' | 'settings'> & { readonly embedder?: Embedder };

/** @throws Error when the port is taken */
export function listen(handler: Parameters<typeof createServer>[1], port: number, host: string): Promise<Server> {
  const server = createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 },
    handler,
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
