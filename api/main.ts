/** Process of the API: `cordscan api`. */
import { createServer, type Server } from 'node:http';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { watchHeads } from '#chain/rpc/watch-heads.ts';
import { Fleet } from '#gateway/fleet.ts';
import { Places } from '#runtime/budgets/places.ts';
import { type Config, isLoopback } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { readServiceKey, type ServiceKey } from '#runtime/service-key.ts';
import { aborted, pause, shutdownSignal } from '#runtime/shutdown.ts';
import { createSearch } from '#semantic/create-search.ts';
import { createEmbedder } from '#semantic/embed/create-embedder.ts';
import type { Embedder } from '#semantic/embed/embedder.ts';
import { openDatabase } from '#sql/open-database.ts';
import { loadStatements } from '#sql/statements.ts';
import { type StoreChecks, storeChecks } from '#sql/store-checks.ts';
import { createApp } from './app.ts';
import { Memo } from './cache/memo.ts';
import { PerState } from './cache/per-state.ts';
import { ReplyCache } from './cache/reply-cache.ts';
import type { ApiDeps } from './deps.ts';
import { economySettings } from './economy-settings.ts';
import { createIdentityDeps } from './identity-deps.ts';
import { Metrics, type WatchedCaches } from './metrics.ts';
import { AccountFiguresReader } from './read/accounts/account-figures.ts';
import { AccountReader } from './read/accounts/account-reader.ts';
import { ContractReader } from './read/accounts/contract-reader.ts';
import { FewHoldings } from './read/accounts/few-holdings.ts';
import { HistoryAhead } from './read/accounts/history-ahead.ts';
import { TracedReader } from './read/accounts/internal-calls/traced-reader.ts';
import { BlockTimes } from './read/chain/block-times.ts';
import { SnapshotReader } from './read/chain/snapshot-reader.ts';
import { TransactionReader } from './read/chain/transaction-reader.ts';
import { ValidatorReader } from './read/chain/validators.ts';
import { SenderReturns } from './read/charts/sender-returns.ts';
import { SeriesReader } from './read/charts/series-reader.ts';
import { checkpointSigner } from './read/checkpoints/checkpoint.ts';
import { Checkpoints } from './read/checkpoints/make-checkpoint.ts';
import { AddressSets } from './read/deposits/address-sets.ts';
import { AnchorEvents } from './read/deposits/anchor-events.ts';
import { watchExpiry } from './read/deposits/expire-withdrawals.ts';
import { ExportPlaces } from './read/export/places.ts';
import { IntegrationRequests } from './read/integration/integration-requests.ts';
import { devNetwork, listDevVenue, readDevFeed } from './read/market/dev-venue.ts';
import { type FeedNetwork, systemNetwork } from './read/market/feed/fetch-feed.ts';
import { refreshFeeds } from './read/market/refresh-feeds.ts';
import { Venues } from './read/market/venues.ts';
import { LabelMaps } from './read/registry/label-maps.ts';
import { SourceReader } from './read/registry/source-reader.ts';
import { SupplyReader } from './read/supply/supply-reader.ts';
import { HolderReader } from './read/tokens/holder-reader.ts';
import { TokenLedger } from './read/tokens/token-ledger.ts';
import { TokenNames } from './read/tokens/token-names.ts';
import { apiReadiness } from './readiness.ts';
import { RecentBlocks } from './tail/charts/recent-blocks.ts';
import { UnsettledReader } from './tail/unsettled.ts';
import { createCursors } from './terms/cursor.ts';
import { warmFigures } from './warm-figures.ts';

/** Share of replies that are checked against their schema in production. */
const checkedShare = 0.01;

/** Serves until SIGTERM; requests under way are answered first. */
export async function runApi(config: Config): Promise<void> {
  const signal = shutdownSignal();
  const metrics = new Metrics();
  const log = createLog('api', config.LOG_LEVEL, metrics.noteLine);
  // a fault that nobody waits for is one request's at most: its reply is lost or late, and all others go on
  process.on('unhandledRejection', (error) => log.error({ event: 'stray_fault', error: String(error) }));
  const observer = metrics.store;
  const database = await openDatabase(config, { log, waitMs: 5_000, migrates: false, observer });
  const client = new RpcClient({
    urls: config.rpcUrls,
    timeoutMs: Math.min(config.RPC_TIMEOUT_MS, 5_000),
    maxInFlight: 32,
    observer: metrics.rpc,
  });
  const fleet = new Fleet({ writerUrl: config.writerUrl, readUrls: config.readPoolUrls });
  void fleet.watch(signal);
  const serviceKey = await readServiceKey(config);
  const embedder = createEmbedder(config);
  const devFeed = config.DEV_FEED === undefined ? undefined : readDevFeed(config.DEV_FEED);
  const parts = { database, client, fleet, log, serviceKey, embedder, metrics, settings: apiSettings(config) };
  const deps = createApiDeps({ ...parts, ...(devFeed ? { feedNetwork: devNetwork(devFeed) } : {}) });
  void watchHeads({
    client,
    wsUrl: undefined,
    pollIntervalMs: Math.max(config.POLL_INTERVAL_MS, 1_000),
    signal,
    onHead: () => {},
  });
  const checks = storeChecks(config);
  const warming = schemaIsThere(checks, signal).then(() => {
    if (signal.aborted) return;
    refreshFeeds(deps, signal);
    watchExpiry(deps, signal);
    if (devFeed) void listDevVenue(deps, devFeed, signal);
    void deps.supply.watch(deps, signal);
    return warmFigures(deps, signal);
  });
  const server = await listen(
    createApp(deps, { checkedShare, keepsReplies: true, readiness: apiReadiness(deps, checks) }).callback(),
    config.PORT,
    config.HOST,
  );
  process.send?.({ listening: config.PORT });
  log.info({ event: 'api_ready', url: `http://${config.HOST}:${config.PORT}` });
  await aborted(signal);
  deps.anchorEvents.close();
  await warming;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 10_000).unref();
  });
  await deps.admission.usage.close();
  await client.close();
  await fleet.close();
  await embedder.close();
  await checks.close();
  await database.close();
}

/** The pipeline brings the schema up to date: nothing of this process's own is read before. */
async function schemaIsThere({ schema }: StoreChecks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await schema()) !== undefined) await pause(200, signal);
}

export function apiSettings(config: Config): ApiDeps['settings'] {
  return {
    chainId: config.CHAIN_ID,
    freshnessToleranceBlocks: config.FRESHNESS_TOLERANCE_BLOCKS,
    addressSetLimit: config.ADDRESS_SET_LIMIT,
    readyMaxLagBlocks: config.READY_MAX_LAG_BLOCKS,
    pageScanRows: config.PAGE_SCAN_ROWS,
    exportsAtOnce: config.EXPORTS_AT_ONCE,
    streamsAtOnce: { most: config.STREAMS_AT_ONCE, perCaller: config.STREAMS_OF_CALLER },
    adminToken: config.ADMIN_TOKEN,
    isOriginKnown: config.PUBLIC_URL !== undefined || isLoopback(config.HOST),
    origin: new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).origin,
    rates: {
      mode: config.rateMode,
      perMinute: { anonymous: config.RATE_ANONYMOUS, keyed: config.RATE_KEYED, operator: config.RATE_OPERATOR },
      ...{ perNetwork: config.RATE_NETWORK, perWatcher: config.RATE_WATCHER, watchers: config.METRICS_FROM },
      keptPerDay: { anonymous: config.KEPT_BYTES_ANONYMOUS, keyed: config.KEPT_BYTES_KEYED, operator: 1e12 },
      proxyHops: config.TRUSTED_PROXY_HOPS,
    },
    openId: config.OIDC_ISSUER
      ? { issuer: config.OIDC_ISSUER, audience: config.OIDC_AUDIENCE!, jwksUrl: config.OIDC_JWKS_URL }
      : undefined,
    operatorWallets: config.SEMANTIC_OPERATOR_WALLETS,
    ...economySettings(config),
    genesisHash: config.GENESIS_HASH,
    testimonyContract: config.AGENT_TESTIMONY_CONTRACT,
    validatorsMethod: config.VALIDATORS_METHOD,
    integrationRequestsPerHour: config.INTEGRATION_REQUESTS_PER_HOUR,
    sources: {
      refreshMs: 1000 * config.SOURCES_REFRESH_SECONDS,
      configured: {
        registry_manifest: config.REGISTRY_URL !== undefined,
        ecosystem_directory: config.ECOSYSTEM_DIRECTORY_URL !== undefined,
      },
    },
    network: {
      chainName: config.CHAIN_NAME,
      nativeCurrency: { name: config.COIN_NAME, symbol: config.COIN_SYMBOL, decimals: 18 },
      rpcUrls: [config.PUBLIC_RPC_URL ?? `http://${config.HOST}:${config.EDGE_PORT}`],
      explorerUrls: [config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`],
    },
  };
}

export interface ApiParts extends Pick<ApiDeps, 'database' | 'client' | 'fleet' | 'log' | 'settings'> {
  readonly serviceKey: ServiceKey;
  /** What feeds are fetched through. */
  readonly feedNetwork?: FeedNetwork;
  /** Absent: search by word vectors alone. */
  readonly embedder?: Embedder;
  readonly metrics?: Metrics;
}

export function createApiDeps({ serviceKey, feedNetwork = systemNetwork, embedder, ...parts }: ApiParts): ApiDeps {
  const { metrics = new Metrics() } = parts;
  metrics.rpc.watch(parts.client);
  const statements = loadStatements();
  const { database, log } = parts;
  const tokenLedger = new TokenLedger(database, statements);
  const unsettled = new UnsettledReader(database, statements);
  const nativeSymbol = parts.settings.network.nativeCurrency.symbol;
  const deps: ApiDeps = {
    ...parts,
    search: createSearch({ database, statements, log, dense: embedder, nativeSymbol }),
    statements,
    snapshots: new SnapshotReader(parts.database, statements),
    replies: new ReplyCache(),
    closedTotals: new Memo(4),
    traces: new Memo(20),
    metrics,
    unsettled,
    transactions: new TransactionReader(database, statements, unsettled),
    traced: new TracedReader(parts.database, statements),
    holders: new HolderReader(parts.database, statements, tokenLedger),
    historyAhead: new HistoryAhead(),
    accounts: new AccountReader(parts.client),
    accountFigures: new AccountFiguresReader(database, statements, unsettled),
    contracts: new ContractReader(parts.client),
    tokens: new PerState(500),
    tokenLedger,
    tokenNames: new TokenNames(database, statements),
    fewHoldings: new FewHoldings(database, statements),
    topAccounts: new PerState(2),
    series: new SeriesReader(parts.database, statements),
    recentBlocks: new RecentBlocks({ database: parts.database, statements }),
    totals: new PerState(4),
    pools: new PerState(2),
    prices: new PerState(8),
    supply: new SupplyReader(),
    venues: new Venues(feedNetwork),
    blockTimes: new BlockTimes(parts.database, statements),
    senderReturns: new SenderReturns(parts.database, statements),
    ...createIdentityDeps({ ...parts, statements, serviceKey }),
    checkpoints: new Checkpoints(checkpointSigner(serviceKey)),
    cursors: createCursors(serviceKey),
    sources: new SourceReader(parts.database, statements, parts.settings.sources),
    labelMaps: new LabelMaps(parts.database, statements),
    registryCounts: new PerState(4),
    directories: new Memo(2),
    agents: new PerState(2),
    selfChecks: new Memo(20),
    validators: new ValidatorReader(parts.client, parts.settings.validatorsMethod),
    integrationRequests: new IntegrationRequests(parts.database, statements, parts.settings.integrationRequestsPerHour),
    anchorEvents: new AnchorEvents(parts.database, statements),
    exportPlaces: new ExportPlaces(parts.settings.exportsAtOnce),
    streamPlaces: new Places(parts.settings.streamsAtOnce.most, parts.settings.streamsAtOnce.perCaller),
    addressSets: new AddressSets(parts.database, statements, parts.settings.addressSetLimit),
  };
  metrics.watch(watchedCaches(deps));
  return deps;
}

/** Caches whose hit rate is told. */
function watchedCaches({ replies, accounts, contracts, admission, ...deps }: ApiDeps): WatchedCaches {
  const { closedTotals, traces, tokens, tokenLedger, topAccounts, totals, pools, prices, agents, directories } = deps;
  return {
    ...{ replies, accounts, contracts, api_keys: admission.credentials.keys, transactions: deps.transactions },
    ...{
      closed_totals: closedTotals,
      traces,
      tokens,
      token_figures: tokenLedger.figures,
      top_accounts: topAccounts,
      totals,
    },
    ...{ pools, prices, agents, directories },
  };
}

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
