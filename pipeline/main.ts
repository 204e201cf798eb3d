/** Process of the pipeline: `cordscan index`. */
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { shutdownSignal } from '#runtime/shutdown.ts';
import { createEmbedder } from '#semantic/embed/create-embedder.ts';
import { createStaticEmbedder } from '#semantic/embed/static-embedder.ts';
import { WordVectors } from '#semantic/word-vectors.ts';
import { openDatabase } from '#sql/open-database.ts';
import { loadStatements } from '#sql/statements.ts';
import type { PipelineDeps } from './deps.ts';
import { runPipeline } from './run-pipeline.ts';

/** Runs until SIGTERM; what is in flight is finished or abandoned cleanly. @throws WrongChainError */
export async function runIndex(config: Config): Promise<void> {
  const signal = shutdownSignal();
  const log = createLog('pipeline', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, signal, waitMs: Number.POSITIVE_INFINITY });
  const client = new RpcClient({
    urls: config.rpcUrls,
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxInFlight: config.RPC_MAX_IN_FLIGHT,
  });
  const embedders = [createStaticEmbedder(new WordVectors()), createEmbedder(config)];
  const deps: PipelineDeps = {
    ...{ client, database, statements: loadStatements(), log, signal },
    embedders,
    settings: pipelineSettings(config),
  };
  await runPipeline(deps, { onBackfilled: () => log.info({ event: 'history_complete' }) });
  await client.close();
  await Promise.all(embedders.map((embedder) => embedder.close()));
  await database.close();
}

export function pipelineSettings(config: Config): PipelineDeps['settings'] {
  return {
    chainId: config.CHAIN_ID,
    genesisHash: config.GENESIS_HASH,
    startBlock: config.START_BLOCK,
    finalityDepth: config.FINALITY_DEPTH,
    verify: config.VERIFY,
    batchBlocks: config.RPC_BATCH_BLOCKS,
    insertTargetRows: config.INSERT_TARGET_ROWS,
    pollIntervalMs: config.POLL_INTERVAL_MS,
    sources: {
      registryUrl: config.REGISTRY_URL,
      registrySha256: config.REGISTRY_SHA256,
      directoryUrl: config.ECOSYSTEM_DIRECTORY_URL,
      refreshMs: 1000 * config.SOURCES_REFRESH_SECONDS,
      limits: { maxBytes: config.SOURCES_MAX_BYTES, timeoutMs: 1000 * config.SOURCES_TIMEOUT_SECONDS },
    },
    wsUrl: config.rpcWsUrl,
    nativeCoin: { symbol: config.COIN_SYMBOL, name: config.COIN_NAME },
  };
}
