/** One block near the head, fetched, checked and encoded. */
import { InvalidChainData } from '#chain/errors.ts';
import { fetchBlockAtHead } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { firstOf } from '#runtime/lists.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeRange, type RangeRows } from '../encode/range-rows.ts';
import { attachTraces } from '../traces/attach-traces.ts';

export interface HeadBlock {
  readonly bundle: BlockBundle;
  /** Its rows as an unsettled block. */
  readonly rows: RangeRows;
}

/**
 * Encoding is part of the fetch, since it reads every digit: what is no hex must not reach the window. An endpoint that
 * gave bad data rests; while another one is there, that one is asked at once.
 * @param at a height, or a hash with the height it must have
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
    endpoint.reportSound();
    return { bundle: firstOf(traced), rows };
  } catch (error) {
    if (error instanceof InvalidChainData) endpoint.reportInvalid(error.message);
    throw error;
  }
}
