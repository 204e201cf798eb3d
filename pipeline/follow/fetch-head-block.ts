import { InvalidChainData } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { fetchBlockAtHead } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { getFirst } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import type { FetchSettings } from '../backfill/backfill-settings.ts';
import type { NodeDeps } from '../deps.ts';
import { encodeRange, type RangeRows } from '../encode/range-rows.ts';
import { attachTraces } from '../traces/attach-traces.ts';

interface HeadDeps extends NodeDeps {
  readonly log: Log;
  readonly settings: Pick<FetchSettings, 'verify' | 'traces'>;
}

export interface HeadBlock {
  readonly bundle: BlockBundle;
  readonly rows: RangeRows;
  readonly endpoint: Endpoint;
}

type HeadPosition = number | { readonly hash: string; readonly number: number };

/**
 * Fetches and encodes a block near the head. After an error, queries the next endpoint at once.
 * @param source endpoint whose branch is followed; queried first, because others may have another branch
 * @throws InvalidChainData, TransportError, NodeError: the error of `source`
 */
export async function fetchHeadBlock(deps: HeadDeps, at: HeadPosition, source: Endpoint): Promise<HeadBlock> {
  try {
    return await fetchOnce(deps, at, source, deps.client.endpoints.length === 1 ? 2 : 0);
  } catch (error) {
    for (const other of deps.client.onBranch) {
      if (other === source || !other.available || deps.signal.aborted) continue;
      const block = await fetchOnce(deps, at, other, 0, true).catch(() => undefined);
      if (block) return block;
    }
    throw error;
  }
}

/** @throws Error if another endpoint returned the block, which may be of another branch */
export function assertFrom(source: Endpoint, block: HeadBlock): HeadBlock {
  if (block.endpoint === source) return block;
  const { number } = block.bundle.block;
  throw new Error(
    `${source.name} did not return block ${Number(number)} of its branch, and others have another branch`,
  );
}

async function fetchOnce(
  { client, settings, signal, log }: HeadDeps,
  at: HeadPosition,
  endpoint: Endpoint,
  retries: number,
  mayLack = false,
): Promise<HeadBlock> {
  const options = { verify: settings.verify, signal, endpoint, retries, mayLack };
  const { bundles } = await fetchBlockAtHead(client, at, options);
  try {
    const traced = await attachTraces({ client, settings, signal, log }, bundles);
    const rows = encodeRange(traced, 0);
    endpoint.reportValid();
    return { bundle: getFirst(traced), rows, endpoint };
  } catch (error) {
    if (error instanceof InvalidChainData) endpoint.reportInvalid(error.message);
    throw error;
  }
}
