/** Checks and encodes the blocks in a node's reply, on any thread. */
import { type ChainViolation, InvalidChainData } from '#chain/errors.ts';
import { checkReceived, pairAt } from '#chain/rpc/fetch-blocks.ts';
import { type Reading, readReply } from '#chain/rpc/read-reply.ts';
import type { VerifyLevel } from '#chain/verify/verify-bundle.ts';
import { encodeRange, type RangeMessage } from './range-rows.ts';

export interface EncodeTask {
  /** JSON reply to the requests of `fetchWithReceipts`. */
  readonly body: Uint8Array;
  /** Ids of the requests, in order. */
  readonly ids: readonly number[];
  readonly fromBlock: number;
  readonly verify: VerifyLevel;
  /** Also return the blocks as lines of the raw cache. */
  readonly keepsLines: boolean;
}

export type EncodedBlocks =
  | { readonly range: RangeMessage; readonly lines: readonly string[] }
  | { readonly invalid: { readonly violation: ChainViolation; readonly blockNumber: number; readonly detail: string } };

export function encodeReply({ body, ids, fromBlock, verify, keepsLines }: EncodeTask): Reading<EncodedBlocks> {
  const reading = readReply(body, ids);
  if ('failure' in reading) return reading;
  const received = Array.from({ length: ids.length / 2 }, (_, i) => pairAt(reading.results, i));
  const lines = keepsLines ? received.map((one) => JSON.stringify(one)) : [];
  try {
    const rows = encodeRange(checkReceived(fromBlock, received, verify), 1);
    return { results: { range: rows.toMessage(), lines } };
  } catch (error) {
    if (!(error instanceof InvalidChainData)) throw error;
    const { violation, blockNumber, detail } = error;
    return { results: { invalid: { violation, blockNumber, detail } } };
  }
}
