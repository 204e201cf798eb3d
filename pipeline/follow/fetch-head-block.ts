import { InvalidChainData } from '#chain/errors.ts';
import { fetchBlockAtHead } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { getFirst } from '#runtime/lists.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeRange, type RangeRows } from '../encode/range-rows.ts';
import { attachTraces } from '../traces/attach-traces.ts';

export interface HeadBlock {
  readonly bundle: BlockBundle;
  readonly rows: RangeRows;
}

/**
 * Fetches and encodes a block near the head. After bad data, asks the next endpoint at once.
 * @throws InvalidChainData, TransportError, NodeError
 */
export async function fetchHeadBlock(deps: PipelineDeps, at: HeadPosition): Promise<HeadBlock> {
  const { endpoints } = deps.client;
  for (let left = endpoints.length; ; left--) {
    try {
      return await fetchOnce(deps, at);
    } catch (error) {
      const another = left > 1 && endpoints.some((endpoint) => endpoint.available);
      if (!(error instanceof InvalidChainData) || !another) throw error;
    }
  }
}

type HeadPosition = number | { readonly hash: string; readonly number: number };

async function fetchOnce({ client, settings, signal, log }: PipelineDeps, at: HeadPosition): Promise<HeadBlock> {
  const { bundles, endpoint } = await fetchBlockAtHead(client, at, { verify: settings.verify, signal, retries: 2 });
  try {
    const traced = await attachTraces({ client, settings, signal, log }, bundles);
    const rows = encodeRange(traced, 0);
    endpoint.reportValid();
    return { bundle: getFirst(traced), rows };
  } catch (error) {
    if (error instanceof InvalidChainData) endpoint.reportInvalid(error.message);
    throw error;
  }
}
