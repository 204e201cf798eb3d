import { InvalidChainData } from '../errors.ts';
import type { Interval } from '../intervals.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import { checkReceived, type FetchOptions, fetchBlocks } from '../rpc/fetch-blocks.ts';
import type { RpcClient } from '../rpc/rpc-client.ts';
import type { BlockBundle } from '../rpc/wire-types.ts';
import type { VerifyLevel } from '../verify/verify-bundle.ts';
import type { RawCache } from './raw-cache.ts';

export interface CacheUse {
  readonly cache: RawCache;
  /** Called when fetched blocks can't be stored in the cache; the blocks are returned nevertheless. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads finalized blocks from the raw cache, or fetches them as `fetchBlocks` does and adds them to the cache. Cached
 * blocks pass the same checks as fetched ones.
 * @returns the endpoint that sent the blocks; undefined if they come from the cache
 */
export async function fetchCachedBlocks(
  client: RpcClient,
  range: Interval,
  options: FetchOptions,
  use: CacheUse | undefined,
): Promise<{ bundles: BlockBundle[]; endpoint: Endpoint | undefined }> {
  const { fromBlock, toBlock } = range;
  if (!use) return fetchBlocks(client, fromBlock, toBlock, options);
  const cached = await readChecked(use.cache, range, options.verify);
  if (cached) return { bundles: cached, endpoint: undefined };
  const { lines, ...fetched } = await fetchWithLines(client, range, options);
  await use.cache.write(fromBlock, lines).catch(use.onError);
  return fetched;
}

/** Fetches blocks, and returns them also as the lines that the cache stores. */
export async function fetchWithLines(client: RpcClient, { fromBlock, toBlock }: Interval, options: FetchOptions) {
  const lines: string[] = [];
  const onReceived = (...received: [unknown, unknown]) => lines.push(JSON.stringify(received));
  return { lines, ...(await fetchBlocks(client, fromBlock, toBlock, { ...options, onReceived })) };
}

/** Returns undefined, and removes the files, if the blocks are invalid. */
async function readChecked(cache: RawCache, range: Interval, verify: VerifyLevel): Promise<BlockBundle[] | undefined> {
  const received = await cache.read(range);
  if (!received) return undefined;
  try {
    return checkReceived(range.fromBlock, received, verify);
  } catch (error) {
    if (!(error instanceof InvalidChainData)) throw error;
    await cache.remove(range);
    return undefined;
  }
}
