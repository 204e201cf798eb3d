import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import { createApp } from '#api/app.ts';
import { createApiDeps } from '#api/compose.ts';
import type { ApiDeps, ApiSettings } from '#api/deps.ts';
import { listen } from '#api/main.ts';
import { economySettings } from '#api/settings.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { DevChain, type DevChainOptions } from '#devchain/devchain.ts';
import { withDevEconomy } from '#devchain/known-economy.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import type { Follower } from '#pipeline/follow/follower.ts';
import { PipelineMetrics } from '#pipeline/metrics.ts';
import type { PipelineDeps, PipelineSettings } from '#pipeline/pipeline-deps.ts';
import { PipelineReport } from '#pipeline/report.ts';
import { runPipeline } from '#pipeline/run-pipeline.ts';
import { type VerifyOptions, type VerifyReport, verifyChain } from '#pipeline/verify/verify-chain.ts';
import { readConfig } from '#runtime/config.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { openDatabase } from '#sql/open-database.ts';
import { type ChainState, isBackfilled, readChainState } from '#sql/snapshot.ts';
import { UserDatabase } from '#sql/user-database.ts';
import { identitySettings } from './identity-settings.ts';
import { freePort, type RunningEngine, scratchFolder, startEngine, waitFor } from './processes.ts';

// Close idle connections before the server does, because a request sent while the server closes one gets no reply.
setGlobalDispatcher(new Agent({ keepAliveMaxTimeout: 10_000 }));

export const chainId = 271828;

export const adminToken = 'admin-token-of-tests';

const serviceKey = new ServiceKey(Buffer.alloc(32, 7));

export async function startDevChain(options: Partial<DevChainOptions> = {}): Promise<DevChain> {
  const chain = await DevChain.start({
    port: await freePort(),
    chainId,
    blocks: 120,
    seed: 1,
    blockSeconds: 60,
    blobs: false,
    ...options,
  });
  await chain.serve({ port: await freePort(), host: '127.0.0.1', methods: {} });
  return chain;
}

export interface TestEngine extends RunningEngine {
  /** Creates a database with the current schema. */
  open(name: string): Promise<Database>;
}

export async function startTestEngine(): Promise<TestEngine> {
  const dir = await scratchFolder('cordscan-test');
  const engine = await startEngine(dir);
  const opened: Database[] = [];
  return {
    ...engine,
    open: async (name) => {
      const database = await openDatabase(
        { clickhouseUrl: engine.url, CLICKHOUSE_DATABASE: name },
        { log: silentLog, waitMs: 30_000 },
      );
      opened.push(database);
      return database;
    },
    stop: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await engine.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export interface RunningPipeline {
  readonly deps: PipelineDeps;
  readonly follower: () => Follower | undefined;
  /** Error if the pipeline ended by itself. */
  readonly failure: () => unknown;
  state(): Promise<ChainState | undefined>;
  /** Waits until history is complete and the head is the node's. */
  caughtUp(head: () => Promise<number>, timeoutMs?: number): Promise<ChainState>;
  verify(window?: VerifyOptions): Promise<VerifyReport>;
  stop(): Promise<void>;
}

export interface PipelineOptions {
  readonly database: Database;
  readonly urls: readonly string[];
  readonly settings?: Partial<PipelineSettings>;
  readonly log?: Log;
  readonly timeoutMs?: number;
  /** Default: the pipeline's endpoints. */
  readonly verifyUrls?: readonly string[];
  /** Default: the calling thread. */
  readonly encoder?: PipelineDeps['encoder'];
}

export function startPipeline(options: PipelineOptions): RunningPipeline {
  const { database, urls, timeoutMs = 10_000 } = options;
  const controller = new AbortController();
  const client = new RpcClient({ urls, timeoutMs, maxInFlight: 8 });
  const deps: PipelineDeps = {
    client,
    database,
    log: options.log ?? silentLog,
    signal: controller.signal,
    metrics: new PipelineMetrics(),
    report: new PipelineReport(),
    encoder: options.encoder,
    settings: {
      chainId,
      genesisHash: undefined,
      startBlock: 0,
      finalityDepth: 32,
      verify: 'links',
      batchBlocks: 20,
      insertTargetRows: 2_000,
      pollIntervalMs: 100,
      jobsEveryMs: 1_000,
      wsUrl: undefined,
      ...options.settings,
    },
  };
  let failure: unknown;
  let follower: Follower | undefined;
  const ended = runPipeline(deps, { onFollowing: (opened) => (follower = opened) }).catch((error: unknown) => {
    failure = error;
  });
  const state = () => readChainState(database);
  return {
    deps,
    follower: () => follower,
    failure: () => failure,
    state,
    caughtUp: async (head, limitMs = 60_000) => {
      let now: ChainState | undefined;
      await waitFor(
        async () => {
          if (failure) throw failure;
          const wanted = await head();
          if (follower && follower.window.head.number !== wanted) return false; // cheaper: checking the database costs ten times as much
          now = await state();
          return now !== undefined && isBackfilled(now) && now.head === wanted;
        },
        limitMs,
        () => `the pipeline catches up (state ${JSON.stringify(now)})`,
      );
      return now!;
    },
    verify: async (window = {}) => {
      const asked = new RpcClient({ urls: options.verifyUrls ?? urls, timeoutMs: 20_000, maxInFlight: 8 });
      await refreshHeads(asked);
      const report = await verifyChain(
        { client: asked, database, signal: new AbortController().signal },
        { traces: deps.settings.traces ?? 'off', ...window },
      );
      await asked.close();
      return report;
    },
    stop: async () => {
      controller.abort();
      await ended;
      await client.close();
    },
  };
}

export interface ApiOptions extends Partial<ApiSettings> {
  readonly log?: Log;
  readonly outbound?: OutboundNetwork;
}

export interface RunningApi {
  readonly origin: string;
  readonly deps: ApiDeps;
  get(path: string, init?: RequestInit): Promise<ApiReply>;
  stop(): Promise<void>;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
  readonly body: any;
}

/** Checks every reply against its schema. @param cachesReplies whether to cache replies like the service */
export async function startApi(
  database: Database,
  urls: readonly string[],
  cachesReplies = false,
  { log = silentLog, outbound, ...changed }: ApiOptions = {},
): Promise<RunningApi> {
  const client = new RpcClient({ urls, timeoutMs: 5_000, maxInFlight: 8 });
  const network: ApiSettings['network'] = {
    chainName: 'Test chain',
    nativeCurrency: { name: 'FAT', symbol: 'FAT', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:3001'],
    explorerUrls: ['http://127.0.0.1:3000'],
  };
  const config = readConfig({ DEVCHAIN_PORT: new URL(urls[0]!).port, FEED_HOSTS: 'feeds.example.com' });
  const settings: ApiSettings = {
    chainId,
    freshnessToleranceBlocks: 3,
    maxBlockAgeSeconds: undefined,
    addressSetLimit: 1_000,
    watches: { sends: false, most: 12, trustedHosts: [] },
    readyMaxLagBlocks: 100,
    network,
    adminToken,
    pageScanRows: 100_000,
    queryMaxRows: 100_000_000,
    sql: { access: 'open', maxSeconds: 20, maxMemoryMib: 1_024 },
    exportsAtOnce: 64,
    streamsAtOnce: { most: 2_000, perCaller: 1_000 },
    genesisHash: undefined,
    testimonyContract: undefined,
    validatorsMethod: undefined,
    nftMetadata: true,
    integrationRequestsPerHour: 5,
    signaturesUrl: undefined,
    sourcifyUrl: undefined,
    verifier: {
      compilers: {
        dir: undefined,
        url: undefined,
        downloadsDir: join(tmpdir(), 'cordscan-compilers'),
        timeoutMs: 5_000,
      },
      limits: { timeoutMs: 60_000, memoryMib: 1_024 },
      places: { most: 50, perCaller: 10 },
    },
    sources: { refreshMs: 60_000, configured: { registry_manifest: false, ecosystem_directory: false } },
    ...identitySettings,
    ...economySettings(withDevEconomy(config)),
    ...changed,
  };
  const upstreams = new Upstreams({ writerUrl: urls[0]!, readUrls: urls });
  await upstreams.probe();
  const ended = new AbortController();
  void upstreams.watch(ended.signal);
  const { url, database: name } = database.options;
  const userDatabase = new UserDatabase({ url, database: name, role: 'sql_user' });
  const deps = createApiDeps({
    database,
    userDatabase,
    client,
    upstreams,
    log,
    serviceKey,
    settings,
    ...(outbound ? { outbound } : {}),
  });
  const server: Server = await listen(
    createApp(deps, { checkedShare: 1, cachesReplies }).callback(),
    await freePort(),
    '127.0.0.1',
  );
  const { port } = server.address() as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    deps,
    get: async (path, init) => {
      const reply = await fetch(origin + path, init).catch((error: Error) => {
        throw new Error(`${path} was not answered: ${inspect(error.cause ?? error)}`);
      });
      const text = await reply.text();
      const isJson = /^application\/(problem\+)?json/.test(reply.headers.get('content-type') ?? '');
      return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
    },
    stop: async () => {
      deps.anchorEvents.close();
      await deps.admission.usage.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await client.close();
      await userDatabase.close();
      ended.abort();
      await upstreams.close();
    },
  };
}

export const headReader = (chain: DevChain) => async () => Number(await chain.rpc.call('eth_blockNumber', []));
