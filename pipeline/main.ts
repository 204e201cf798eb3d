import { readFileSync } from 'node:fs';
import { genesisAccounts } from '#chain/genesis.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { type Config, ConfigError } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { listenForMetrics } from '#runtime/metrics/listener.ts';
import { Readiness } from '#runtime/metrics/readiness.ts';
import { shutdownSignal } from '#runtime/shutdown.ts';
import { joinSignals } from '#runtime/signals.ts';
import { createEmbedder } from '#semantic/embed/create-embedder.ts';
import { createStaticEmbedder } from '#semantic/embed/static-embedder.ts';
import { WordVectors } from '#semantic/word-vectors.ts';
import { openDatabase } from '#sql/open-database.ts';
import { storeChecks } from '#sql/store-checks.ts';
import { createEncoder } from './encode/encoder-threads.ts';
import { defaultFinalityDepth } from './follow/finality.ts';
import type { Follower } from './follow/follower.ts';
import { PipelineMetrics } from './metrics.ts';
import type { PipelineDeps, PipelineSettings } from './pipeline-deps.ts';
import { type CachedChain, openCachedChain } from './raw-cache.ts';
import { PipelineReport } from './report.ts';
import { type PipelineHooks, runPipeline } from './run-pipeline.ts';

const nftTimeoutMs = 8_000;
/** Interval of checks whether all cached blocks are stored or one is invalid, ms. */
const pollMs = 100;
/** How long the newest cached block must be invalid before the command ends, ms. */
const badBlockMs = 5_000;

export interface IndexOptions {
  /** Index only the blocks in RAW_CACHE_DIR, without a node, then end. */
  readonly fromCache?: boolean;
}

/**
 * Runs the pipeline until SIGTERM, then completes running work. Sets exit code 1 if it stops before the last cached
 * block.
 * @throws WrongChainError; ConfigError when the cached blocks can't be used
 */
export async function runIndex(config: Config, { fromCache = false }: IndexOptions = {}): Promise<void> {
  const indexed = new AbortController();
  const signal = joinSignals(shutdownSignal(), indexed.signal);
  const cached = fromCache ? await openCachedChain(config) : undefined;
  const metrics = new PipelineMetrics();
  const settings = pipelineSettings(config, fromCache); // fail before any wait
  const log = createLog('pipeline', config.LOG_LEVEL, metrics.countLogLine);
  const watched = await serveMetrics(config, metrics);
  const waiting = { log, signal, waitMs: Number.POSITIVE_INFINITY, observer: metrics.store };
  const database = await openDatabase(config, waiting).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!database) {
    if (fromCache) reportStopped('stopped before the last cached block');
    return watched.close();
  }
  const client = cached?.client ?? connect(config, metrics);
  const report = new PipelineReport();
  metrics.rpc.watch(client);
  const embedders = [createStaticEmbedder(new WordVectors()), createEmbedder(config)];
  const encoder = createEncoder(config.encoderThreads, { log });
  const deps: PipelineDeps = {
    client,
    database,
    log,
    signal,
    embedders,
    metrics,
    settings,
    encoder,
    report,
  };
  const onBackfilled = () => log.info({ event: 'history_complete' }, 'history is complete');
  const end = (fault?: string) => {
    if (fault !== undefined && !indexed.signal.aborted) reportStopped(fault);
    indexed.abort();
  };
  await runPipeline(deps, cached ? endAt(cached, report, onBackfilled, end) : { onBackfilled });
  await Promise.all([client.close(), encoder.close()]);
  await Promise.all(embedders.map((embedder) => embedder.close()));
  await database.close();
  await watched.close();
  if (cached && !indexed.signal.aborted) reportStopped('stopped before the last cached block');
}

function reportStopped(why: string): void {
  console.log(why);
  process.exitCode = 1;
}

function connect(config: Config, metrics: PipelineMetrics): RpcClient {
  return new RpcClient({
    urls: config.rpcUrls,
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxInFlight: config.RPC_MAX_IN_FLIGHT,
    observer: metrics.rpc,
  });
}

/** Calls `end` once all blocks are stored, or with an error once one is invalid: no other source has it. */
function endAt(
  { lastBlock, findDamaged }: CachedChain,
  report: PipelineReport,
  onBackfilled: () => void,
  end: (fault?: string) => void,
): PipelineHooks {
  let isBackfilled = false;
  let follower: Follower | undefined;
  const endFor = (block: number, fault: string) =>
    end(`block ${block} of the raw cache is invalid: ${fault}; index from a node`);
  setInterval(() => {
    const [damaged, { badBlock }] = [findDamaged(), report.state];
    if (damaged !== undefined) endFor(damaged, 'its file is damaged');
    if (badBlock && Date.now() - badBlock.sinceMs > badBlockMs) endFor(badBlock.block, badBlock.fault);
    if (isBackfilled && follower && follower.window.head.number >= lastBlock) end();
  }, pollMs).unref(); // must not keep a stopped process alive
  return {
    onBackfilled: () => {
      isBackfilled = true;
      onBackfilled();
    },
    onQuarantined: (block) => endFor(block, 'see the log event block_parked'),
    onFollowing: (opened) => {
      follower = opened;
    },
  };
}

async function serveMetrics(config: Config, metrics: PipelineMetrics): Promise<{ close(): Promise<void> }> {
  const { METRICS_PORT: port, HOST: host, READY_MAX_LAG_BLOCKS: maxLagBlocks } = config;
  if (port === undefined) return { close: async () => {} };
  const { close, ...checks } = storeChecks(config);
  const readiness = new Readiness({ ...checks, chain: () => metrics.lateness(maxLagBlocks) });
  const server = await listenForMetrics({
    host,
    port,
    registry: metrics.registry,
    readiness,
    health: () => metrics.health(),
  });
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await close();
    },
  };
}

/** @param fromCache true: all blocks come from the raw cache, which is then read-only */
export function pipelineSettings(config: Config, fromCache = false): PipelineSettings {
  return {
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
    startBlock: config.START_BLOCK,
    // the cache has no finalized tag
    finalityDepth: config.FINALITY_DEPTH ?? (fromCache ? defaultFinalityDepth : undefined),
    verify: config.VERIFY,
    traces: config.TRACES,
    batchBlocks: config.RPC_BATCH_BLOCKS,
    rawCache:
      config.RAW_CACHE_DIR === undefined ? undefined : { directory: config.RAW_CACHE_DIR, isReadOnly: fromCache },
    insertTargetRows: config.INSERT_TARGET_ROWS,
    pollIntervalMs: config.POLL_INTERVAL_MS,
    sources: {
      registryUrl: config.REGISTRY_URL,
      registrySha256: config.REGISTRY_SHA256,
      directoryUrl: config.ECOSYSTEM_DIRECTORY_URL,
      refreshMs: 1000 * config.SOURCES_REFRESH_SECONDS,
      limits: { maxBytes: config.SOURCES_MAX_BYTES, timeoutMs: 1000 * config.SOURCES_TIMEOUT_SECONDS },
    },
    nft:
      config.NFT_METADATA === 'on'
        ? { ipfsGateway: config.IPFS_GATEWAY, timeoutMs: nftTimeoutMs, maxBytes: config.NFT_METADATA_MAX_BYTES }
        : undefined,
    deepReorg: config.DEEP_REORG,
    namedAccounts: [...configuredAccounts(config), ...(config.GENESIS_FILE ? readGenesis(config.GENESIS_FILE) : [])],
    leaseMs: 1000 * config.LEASE_SECONDS,
    claimBlocks: config.CLAIM_BLOCKS,
    wsUrl: fromCache ? undefined : config.rpcWsUrl,
    nativeCoin: { symbol: config.COIN_SYMBOL, name: config.COIN_NAME, wrapped: config.WFAT_ADDRESS },
  };
}

/** Returns configured accounts. Their balances are read separately: they may have no transactions. */
function configuredAccounts(config: Config): string[] {
  const { WFAT_ADDRESS, REWARD_CONTRACT, BRIDGE_ADDRESS, AGENT_TESTIMONY_CONTRACT } = config;
  return [
    ...[WFAT_ADDRESS, REWARD_CONTRACT, BRIDGE_ADDRESS, AGENT_TESTIMONY_CONTRACT].flatMap((address) => address ?? []),
    ...config.STABLECOINS,
    ...config.DEX_FACTORIES,
    ...[...config.DEX_POOLS, ...config.SUPPLY_EXCLUDED].map(({ address }) => address),
  ].map((address) => address.toLowerCase());
}

/** @throws ConfigError when the file isn't a readable genesis document */
function readGenesis(file: string): string[] {
  try {
    return genesisAccounts(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([`GENESIS_FILE ${file}: ${(error as Error).message}`]);
  }
}
