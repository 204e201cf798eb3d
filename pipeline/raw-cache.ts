/** Fills the cache of raw blocks, and removes blocks that the nodes don't have. */
import { zeroHash } from '#chain/codec/hex.ts';
import type { Interval } from '#chain/intervals.ts';
import { fetchWithLines } from '#chain/raw-cache/fetch-cached-blocks.ts';
import { RawCache } from '#chain/raw-cache/raw-cache.ts';
import { RawCacheNode } from '#chain/raw-cache/raw-cache-node.ts';
import { fetchInHalves } from '#chain/rpc/fetch-in-halves.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { type Config, ConfigError } from '#runtime/config.ts';
import { pause } from '#runtime/shutdown.ts';
import type { FetchSettings } from './backfill/backfill-settings.ts';
import type { CacheDeps, JobDeps, NodeDeps, ReportDeps } from './deps.ts';
import { storedHash } from './follow/finalized-comparison.ts';
import { blockAt } from './follow/read-head.ts';
import type { ChainSettings } from './identity.ts';
import type { ChainStateStore } from './store/chain-state-store.ts';

export interface RawCacheSettings {
  /** Directory of the raw cache, read-only if it is the only source of blocks; undefined: no cache. */
  readonly rawCache?: { readonly directory: string; readonly isReadOnly: boolean } | undefined;
  /** Pause between searches for finalized blocks that the cache lacks, ms; default 1 min. */
  readonly fillCacheEveryMs?: number;
}

interface FillDeps extends JobDeps, CacheDeps, ReportDeps {
  readonly settings: FetchSettings & Pick<RawCacheSettings, 'fillCacheEveryMs'>;
}

const defaultFillEveryMs = 60_000;
/** Minimum blocks per file of newly finalized blocks. */
const minBlocksPerFile = 50;

/**
 * Opens the raw cache, and removes blocks that the nodes don't have. Parent hashes link blocks, so it compares only the
 * last block of each interval.
 * @throws the error of the file system
 */
export async function openRawCache(
  deps: JobDeps & { readonly settings: Pick<ChainSettings, 'chainId'> },
  { directory, isReadOnly }: NonNullable<RawCacheSettings['rawCache']>,
): Promise<RawCache> {
  const [identity] = await deps.database.read('chain_identity');
  const genesis = identity?.genesis_hash ?? zeroHash;
  const cache = await RawCache.open(directory, { id: deps.settings.chainId, genesis }, isReadOnly);
  if (isReadOnly) return cache;
  for (const { fromBlock, toBlock } of cache.intervals) {
    if ((await isOfNodes(deps, cache, toBlock)) !== false) continue;
    let [same, other] = [fromBlock - 1, toBlock];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if ((await isOfNodes(deps, cache, middle)) === false) other = middle;
      else same = middle;
    }
    deps.log.warn(
      { event: 'raw_cache_cut', fromBlock: other, toBlock },
      `removing blocks ${other} to ${toBlock} from RAW_CACHE_DIR, because the nodes have other blocks`,
    );
    await cache.remove({ fromBlock: other, toBlock });
  }
  return cache;
}

/** Returns whether the first node that answers has the cached block; undefined: no answer, or a damaged file. */
async function isOfNodes(deps: NodeDeps, cache: RawCache, block: number): Promise<boolean | undefined> {
  const [raw] = (await cache.read({ fromBlock: block, toBlock: block })) ?? [];
  for (const endpoint of deps.client.endpoints) {
    const now = await blockAt(deps, endpoint, block).catch(() => undefined);
    if (now && raw?.[0]) return raw[0].hash.toLowerCase() === now.hash;
  }
  return undefined;
}

/** Removes a block and all higher ones from the cache: they may belong to another branch. */
export async function removeCached({ rawCache }: CacheDeps, fromBlock: number): Promise<void> {
  await rawCache?.remove({ fromBlock, toBlock: Number.MAX_SAFE_INTEGER });
}

/** Adds finalized blocks that the backfill did not fetch, until the signal aborts. */
export async function fillRawCache(deps: FillDeps, store: ChainStateStore): Promise<void> {
  const { rawCache, signal, settings, log, report } = deps;
  if (!rawCache || rawCache.isReadOnly) return;
  while (!signal.aborted) {
    await pause(settings.fillCacheEveryMs ?? defaultFillEveryMs, signal);
    try {
      await fill(deps, rawCache, store);
      report.set({ rawCacheFault: null });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ event: 'raw_cache_error', error: String(error) });
      report.set({ rawCacheFault: String(error) });
    }
  }
}

async function fill(deps: FillDeps, cache: RawCache, store: ChainStateStore): Promise<void> {
  const { settings, signal } = deps;
  const { startBlock, finalized, doubtedFrom } = store.state;
  if (doubtedFrom !== undefined) return; // the nodes disagree about finalized blocks
  let firstError: unknown;
  for (const gap of cache.missing({ fromBlock: startBlock, toBlock: finalized })) {
    if (gap.toBlock === finalized && gap.toBlock - gap.fromBlock + 1 < minBlocksPerFile) continue;
    for (let from = gap.fromBlock; from <= gap.toBlock && !signal.aborted; from += settings.batchBlocks) {
      const range = { fromBlock: from, toBlock: Math.min(from + settings.batchBlocks - 1, gap.toBlock) };
      await fetchInHalves(range, (part) => fetchRange(deps, cache, part), signal).catch((error: unknown) => {
        firstError ??= error;
      });
    }
  }
  if (firstError !== undefined) throw firstError;
}

/** Caches a range if its last block is the indexed one: a node may be on another branch. */
async function fetchRange(deps: FillDeps, cache: RawCache, range: Interval): Promise<void> {
  const { client, settings, signal } = deps;
  const { fromBlock, toBlock } = range;
  const { bundles, lines } = await fetchWithLines(client, range, { verify: settings.verify, signal });
  const stored = await storedHash(deps, toBlock);
  const fetched = bundles.at(-1)?.block.hash.toLowerCase();
  if (stored !== fetched) throw new Error(`a node has block ${toBlock} with hash ${fetched}, the index has ${stored}`);
  await cache.write(fromBlock, lines);
}

export interface CachedChain {
  readonly client: RpcClient;
  /** Last cached block before the first gap. */
  readonly lastBlock: number;
  /** Returns a damaged block, once a request has found one. */
  readonly findDamaged: () => number | undefined;
}

/**
 * Returns a client that answers from the raw cache.
 * @throws ConfigError when the cache lacks the chain or its first block
 */
export async function openCachedChain(config: Config): Promise<CachedChain> {
  const { RAW_CACHE_DIR: directory, CHAIN_ID: id, GENESIS_HASH: wanted, START_BLOCK: startBlock } = config;
  if (directory === undefined) throw new ConfigError(['RAW_CACHE_DIR must be set for --from-cache']);
  const found = (await RawCache.chains(directory, id)).filter((genesis) => wanted === undefined || genesis === wanted);
  const [genesis] = found;
  if (genesis === undefined) throw new ConfigError([`RAW_CACHE_DIR ${directory} has no blocks of chain ${id}`]);
  if (found.length > 1)
    throw new ConfigError([
      `RAW_CACHE_DIR ${directory} has several chains with id ${id}; set GENESIS_HASH to one of ${found.join(', ')}`,
    ]);
  const cache = await RawCache.open(directory, { id, genesis }, true);
  const first = cache.intervals.find((one) => one.fromBlock <= startBlock && startBlock <= one.toBlock);
  if (!first) throw new ConfigError([`RAW_CACHE_DIR ${directory} lacks block ${startBlock} (START_BLOCK)`]);
  const transport = new RawCacheNode(cache, { id, genesis, first: startBlock, head: first.toBlock });
  const client = new RpcClient({ urls: ['http://raw-cache'], timeoutMs: 60_000, maxInFlight: 16, transport });
  return { client, lastBlock: first.toBlock, findDamaged: () => transport.missing };
}
