/** One block near the head, fetched, checked and encoded. */
import { InvalidChainData } from '#chain/errors.ts';
import { fetchBlockAtHead } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import type { PipelineDeps } from '../deps.ts';
import { encodeRange, type RangeRows } from '../encode/range-rows.ts';

export interface HeadBlock {
  readonly bundle: BlockBundle;
  /** Its rows as an unsettled block. */
  readonly rows: RangeRows;
}

/**
 * Encoding is part of the fetch, since it reads every digit: what is no hex must not reach the window.
 * @param at a height, or a hash with the height it must have
 * @throws InvalidChainData (the endpoint then rests), TransportError, NodeError
 */
export async function fetchHeadBlock(
  { client, settings, signal }: PipelineDeps,
  at: number | { readonly hash: string; readonly number: number },
): Promise<HeadBlock> {
  const { bundles, endpoint } = await fetchBlockAtHead(client, at, { verify: settings.verify, signal, retries: 2 });
  try {
    const rows = encodeRange(bundles, 0);
    endpoint.reportSound();
    return { bundle: bundles[0]!, rows };
  } catch (error) {
    if (error instanceof InvalidChainData) endpoint.reportInvalid(error.message);
    throw error;
  }
}
