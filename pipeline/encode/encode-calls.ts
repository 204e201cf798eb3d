import type { InternalCall } from '#chain/rpc/internal-call.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';
import type { RowWriter } from '#sql/row-writer.ts';

type Writers = Readonly<Record<'internal_calls' | 'block_traces', RowWriter>>;

const typeNumbers = { call: 1, create: 2, create2: 3, selfdestruct: 4 } as const;

/**
 * Encodes a block's internal calls, with columns in the order of migration 0021.
 * @returns false, without rows, if the block was not traced
 */
export function encodeCalls(writers: Writers, { block, calls }: BlockBundle, final: 0 | 1): boolean {
  if (!calls) return false;
  const [number, time] = [Number(block.number), Number(block.timestamp)];
  const w = writers.internal_calls;
  let count = 0;
  for (const [txIndex, transaction] of block.transactions.entries()) {
    for (const [callIndex, call] of known(calls[txIndex], 'the trace of a transaction').entries()) {
      w.uint8(final);
      w.uint64(number);
      w.uint32(txIndex);
      w.uint32(callIndex);
      w.fixed(transaction.hash, 32);
      w.fixed(block.hash, 32);
      w.uint32(time);
      encodeCall(w, call);
      count++;
    }
  }
  const t = writers.block_traces;
  t.uint8(final);
  t.uint64(number);
  t.fixed(block.hash, 32);
  t.uint32(block.transactions.length);
  t.uint32(count);
  t.endRow();
  return true;
}

function encodeCall(w: RowWriter, call: InternalCall): void {
  w.uint8(typeNumbers[call.type]);
  w.fixed(call.from, 20);
  w.isNull(call.to === null);
  if (call.to !== null) w.fixed(call.to, 20);
  w.uint256(call.value);
  w.quantity64(call.gas);
  w.quantity64(call.gasUsed);
  w.text(call.traceId);
  w.text(call.error);
  w.endRow();
}
