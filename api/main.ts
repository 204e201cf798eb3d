import type { RequestListener, Server } from 'node:http';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { watchHeads } from '#chain/rpc/watch-heads.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { readServiceKey } from '#runtime/service-key.ts';
import { aborted, pause, shutdownSignal } from '#runtime/shutdown.ts';
import { createEmbedder } from '#semantic/embed/create-embedder.ts';
import type { Database } from '#sql/client.ts';
import { openDatabase } from '#sql/open-database.ts';
import { type StoreChecks, storeChecks } from '#sql/store-checks.ts';
import { UserDatabase } from '#sql/user-database.ts';
import { createApp } from './app.ts';
import { createApiDeps } from './compose.ts';
import type { ApiDeps } from './deps.ts';
import { Metrics } from './http/metrics.ts';
import { apiReadiness } from './http/readiness.ts';
import { createHttpServer } from './http/unparsed-requests.ts';
import { deliverWatches } from './read/account/deliver-watches.ts';
import { admitNodes } from './read/chain/admit-nodes.ts';
import { warmFigures } from './read/charts/warm-figures.ts';
import { askSignatureServer } from './read/contracts/signatures/signature-server.ts';
import { importFromSourcify } from './read/contracts/sourcify-import.ts';
import { watchExpiredSets } from './read/deposits/expire-address-sets.ts';
import { watchExpiry } from './read/deposits/expire-withdrawals.ts';
import { readIdentity } from './read/identity/caller.ts';
import { refreshFeeds } from './read/market/refresh-feeds.ts';
import { runSchedules } from './read/sql/run-schedules.ts';
import { apiSettings } from './settings.ts';

const checkedShare = 0.01;
/** Time for which the API waits for the check of its nodes before it listens, ms. */
const maxAdmissionMs = 500;

export interface ApiOptions {
  /** Network for requests to other hosts. Default: that of the system. */
  readonly outbound?: OutboundNetwork;
  /** Called when the schema exists, before order-book feeds are read. */
  readonly onReady?: (deps: ApiDeps, signal: AbortSignal) => Promise<void>;
}

/** Runs the API until it is stopped, then finishes running requests. */
export async function runApi(config: Config, { outbound, onReady }: ApiOptions = {}): Promise<void> {
  const signal = shutdownSignal();
  const metrics = new Metrics();
  const log = createLog('api', config.LOG_LEVEL, metrics.countLogLine);
  // an unhandled rejection affects at most one request: log it and continue
  process.on('unhandledRejection', (error) => log.error({ event: 'stray_error', error: String(error) }));
  const { checks, ...connections } = await connect(config, log, metrics);
  const { database, userDatabase, client, upstreams, embedder } = connections;
  void upstreams.watch(signal);
  const serviceKey = await readServiceKey(config);
  const parts = { ...connections, log, serviceKey, metrics, settings: apiSettings(config) };
  const deps = createApiDeps({ ...parts, ...(outbound && { outbound }) });
  await startNodes(client, database, { config, log, signal });
  const jobs = runJobs(deps, checks, onReady, signal);
  const server = await listen(
    createApp(deps, { checkedShare, cachesReplies: true, readiness: apiReadiness(deps, checks) }).callback(),
    config.PORT,
    config.HOST,
  );
  process.send?.({ listening: config.PORT });
  log.info({ event: 'api_ready', url: `http://${config.HOST}:${config.PORT}` }, 'API and explorer are ready');
  await aborted(signal);
  deps.anchorEvents.close();
  await jobs;
  await closeServer(server);
  for (const closable of [
    deps.verifier,
    deps.admission.usage,
    client,
    upstreams,
    embedder,
    checks,
    userDatabase,
    database,
  ])
    await closable?.close();
}

/** Checks the nodes, and follows their heads. Does not wait long for nodes that do not answer. */
async function startNodes(
  client: RpcClient,
  database: Database,
  { config, log, signal }: { readonly config: Config; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const chain = { chainId: config.CHAIN_ID, genesisHash: config.GENESIS_HASH };
  await Promise.race([admitNodes({ client, database, log }, chain, signal), pause(maxAdmissionMs, signal)]);
  const pollIntervalMs = Math.max(config.POLL_INTERVAL_MS, 1_000);
  void watchHeads({ client, wsUrl: undefined, pollIntervalMs, signal, onHead: () => {} });
}

async function connect(config: Config, log: Log, metrics: Metrics) {
  const upstreams = await Upstreams.open({
    writerUrl: config.writerUrl,
    readUrls: config.readPoolUrls,
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
  });
  return {
    database: await openDatabase(config, { log, waitMs: 5_000, migrates: false, observer: metrics.store }),
    userDatabase: openUserDatabase(config),
    client: new RpcClient({
      urls: config.rpcUrls,
      timeoutMs: Math.min(config.RPC_TIMEOUT_MS, 5_000),
      maxInFlight: 32,
      observer: metrics.rpc,
    }),
    upstreams,
    embedder: createEmbedder(config),
    checks: storeChecks(config),
  };
}

function openUserDatabase(config: Config): UserDatabase | undefined {
  if (config.sqlAccess === 'off') return undefined;
  const database = config.CLICKHOUSE_DATABASE;
  if (config.SQL_CLICKHOUSE_URL !== undefined) return new UserDatabase({ url: config.SQL_CLICKHOUSE_URL, database });
  const passwordFile = config.clickhousePasswordFile;
  return new UserDatabase({ url: config.clickhouseUrl, passwordFile, database, role: 'sql_user' });
}

async function runJobs(deps: ApiDeps, checks: StoreChecks, onReady: ApiOptions['onReady'], signal: AbortSignal) {
  await waitForSchema(checks, signal);
  if (signal.aborted) return;
  await onReady?.(deps, signal);
  refreshFeeds(deps, signal);
  watchExpiry(deps, signal);
  watchExpiredSets(deps, signal);
  if (deps.settings.sourcifyUrl !== undefined) void importFromSourcify(deps, deps.settings.sourcifyUrl, signal);
  if (deps.settings.signaturesUrl !== undefined) void askSignatureServer(deps, deps.settings.signaturesUrl, signal);
  if (deps.settings.watches.sends) {
    void deliverWatches(deps, signal);
    if (deps.userDatabase) {
      const { rates, credentials } = deps.admission;
      const chargeOwner = async (owner: string, cost: number) =>
        rates.chargeOwner(await readIdentity(credentials, owner), cost);
      void runSchedules({ ...deps, chargeOwner }, signal);
    }
  }
  void deps.supply.watch(deps, signal);
  await warmFigures(deps, signal);
}

async function waitForSchema({ schema }: StoreChecks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await schema()) !== undefined) await pause(200, signal);
}

/** Stops accepting connections. Running requests have 10 s to finish. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 10_000).unref();
  });
}

/** @throws Error if the port is in use */
export function listen(handler: RequestListener, port: number, host: string): Promise<Server> {
  const server = createHttpServer(handler);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
