import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { openCachedChain } from '#pipeline/raw-cache.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { type VerifyReport, verifyChain } from '#pipeline/verify/verify-chain.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import { shutdownSignal } from '#runtime/shutdown.ts';
import { openDatabase } from '#sql/open-database.ts';
import { isBackfilled, readChainState } from '#sql/snapshot.ts';

const waitMs = 10_000;
const statusTimeoutMs = 5_000;

export async function runMigrate(config: Config): Promise<void> {
  const log = createLog('migrate', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs });
  console.log('the schema is up to date');
  await database.close();
}

/** Prints what is indexed, whether a pipeline runs, and the lag behind the nodes (null: no node answers). */
export async function runStatus(config: Config): Promise<void> {
  const log = createLog('status', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs, migrates: false });
  const client = new RpcClient({ urls: config.rpcUrls, timeoutMs: statusTimeoutMs, maxInFlight: 1 });
  const [state, pipelines] = await Promise.all([readChainState(database), database.read('pipelines')]);
  await refreshHeads(client);
  await Promise.all([database.close(), client.close()]);
  if (!state) return console.log('the database is empty');
  const nodeHead = Math.max(...client.endpoints.map(({ head }) => head));
  const [running] = pipelines.filter(({ is_stopped }) => is_stopped === 0);
  console.log({
    ...state,
    updatedAt: isoTimeFromMs(state.updatedAtMs),
    backfilled: isBackfilled(state),
    nodeHead: nodeHead < 0 ? null : nodeHead,
    lagBlocks: nodeHead < 0 ? null : Math.max(0, nodeHead - state.head),
    pipelineSilentSeconds: running ? Math.round(Number(running.silent_ms) / 1_000) : null,
  });
}

export async function runRewind(config: Config, block: number): Promise<void> {
  const log = createLog('rewind', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs });
  const { RAW_CACHE_DIR: rawCacheDir } = config;
  const leaseMs = 1_000 * config.LEASE_SECONDS;
  await rewind({ database, log, leaseMs, ...(rawCacheDir !== undefined && { rawCacheDir }) }, block);
  console.log(`all data above block ${block} is deleted; the pipeline will fetch it again`);
  await database.close();
}

export interface VerifyArguments {
  readonly from?: number;
  readonly to?: number;
  readonly sample?: number;
  /** Compare with RAW_CACHE_DIR instead of the node, up to the last cached block. */
  readonly fromCache?: boolean;
}

/** Compares stored data with the node. Prints differences; exit code 1 if there are any. */
export async function runVerify(config: Config, { from, to, sample, fromCache }: VerifyArguments): Promise<void> {
  if (from !== undefined && to !== undefined && from > to)
    throw new Error(`no block is compared: --from ${from} is above --to ${to}`);
  const log = createLog('verify', config.LOG_LEVEL);
  const signal = shutdownSignal();
  const database = await openDatabase(config, { log, waitMs, migrates: false });
  const cached = fromCache ? await openCachedChain(config) : undefined;
  const client =
    cached?.client ??
    new RpcClient({
      urls: config.rpcUrls,
      timeoutMs: config.RPC_TIMEOUT_MS,
      maxInFlight: config.RPC_MAX_IN_FLIGHT,
    });
  const last = Math.min(to ?? Number.MAX_SAFE_INTEGER, cached?.lastBlock ?? Number.MAX_SAFE_INTEGER);
  await refreshHeads(client, signal);
  const line = new ProgressLine('verify');
  const report = await verifyChain(
    { client, database, signal },
    {
      ...(from === undefined ? {} : { fromBlock: from }),
      toBlock: last,
      ...(sample === undefined ? {} : { sample }),
      traces: fromCache ? 'off' : config.TRACES, // the cache has no traces
      onProgress: (share, text) => line.update(share, text),
    },
  );
  line.finish();
  for (const { where, key, detail } of report.differences) console.log(`${where} ${key}: ${detail}`);
  const { blocks, transactions, logs, roles, calls, checks, differences } = report;
  console.log(
    `${blocks} blocks, ${transactions} transactions, ${logs} logs, ${roles} roles, ${calls} internal calls, ${checks} recounts: ${differences.length} differences`,
  );
  await client.close();
  await database.close();
  const missing = signal.aborted
    ? 'interrupted: only a part of the blocks was compared'
    : describeMissing({ from, to, sample }, last, report);
  if (missing) console.log(missing);
  process.exitCode = differences.length > 0 || missing ? 1 : 0;
}

/** Describes requested blocks that were not compared, because the index or the nodes lack them. */
function describeMissing(
  { from, to, sample }: { readonly [name in 'from' | 'to' | 'sample']: number | undefined },
  lastCached: number,
  { startBlock, head, blocks, indexed, untraced }: VerifyReport,
): string | undefined {
  const [first, last] = [from ?? startBlock, to ?? Math.min(lastCached, head)];
  const isAnySample = sample !== undefined && from === undefined && to === undefined;
  const requested = isAnySample ? 1 : Math.max(1, last - first + 1);
  const found = sample === undefined ? blocks : indexed;
  if (blocks === 0) return 'no requested block was compared: the index or the raw cache has none of them';
  if (found < requested)
    return `${requested - found} requested blocks were not compared: the index or the raw cache does not have them`;
  if (untraced === 0) return undefined;
  return `stored internal calls in ${untraced} blocks were not compared: no node traces them. TRACES=off leaves them out`;
}
