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
  /** Called when the cache can't store fetched blocks. The caller still gets the blocks. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads finalized blocks from the cache, or fetches and caches them if one is missing.
 * @returns the blocks, and the endpoint that sent them (undefined for cached blocks)
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

/** Fetches blocks. Also returns them as JSON lines for the cache. */
export async function fetchWithLines(client: RpcClient, { fromBlock, toBlock }: Interval, options: FetchOptions) {
  const lines: string[] = [];
  const onReceived = (...received: [unknown, unknown]) => lines.push(JSON.stringify(received));
  return { lines, ...(await fetchBlocks(client, fromBlock, toBlock, { ...options, onReceived })) };
}

/** Reads cached blocks. Removes the files of invalid blocks and returns undefined. */
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
