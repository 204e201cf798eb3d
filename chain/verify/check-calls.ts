import { known } from '#runtime/known.ts';
import { getCallError, readInternalCalls } from '../codec/internal-calls.ts';
import { type ChainFault, InvalidChainData, NoCallError } from '../errors.ts';
import type { InternalCall } from '../rpc/internal-call.ts';
import type { BlockBundle, WireCall } from '../rpc/wire-types.ts';

/**
 * Checks the traces of a block against its transactions and receipts. If callTracer omits a subcall, this stays
 * undetected. For trace_block, `call-tree.ts` checks the number of subcalls.
 * @throws InvalidChainData for the first error found
 */
export function checkCalls(bundle: BlockBundle, readRoots: () => readonly WireCall[]): InternalCall[][] {
  const number = Number(bundle.block.number);
  const fail = (fault: ChainFault, detail: string): never => {
    throw new InvalidChainData(fault, number, detail);
  };
  try {
    const roots = readRoots();
    if (roots.length !== bundle.receipts.length)
      fail(
        'trace_count',
        `the block has ${bundle.receipts.length} transactions, but the node returned ${roots.length} traces`,
      );
    return roots.map((root, i) => {
      checkRoot(bundle, i, root, fail);
      return readInternalCalls(root);
    });
  } catch (error) {
    if (error instanceof NoCallError) fail('trace_shape', error.message);
    throw error;
  }
}

type Fail = (fault: ChainFault, detail: string) => never;

function checkRoot({ block, receipts }: BlockBundle, i: number, root: WireCall, fail: Fail): void {
  if (root === null || typeof root !== 'object') fail('trace_shape', `trace ${i} is not an object`);
  const transaction = known(block.transactions[i], 'the transaction of a trace');
  const { status, contractAddress } = known(receipts[i], 'the receipt of a trace');
  const differs = (field: string) => fail('trace_mismatch', `trace ${i} is of another transaction: ${field} differs`);
  if (!isSame(root.from, transaction.from)) differs('from');
  const failed = getCallError(root) !== '';
  if (status !== undefined && status !== null && failed !== (Number(status) === 0)) differs('outcome');
  if (transaction.to ? !isSame(root.to, transaction.to) : !failed && !isSame(root.to, contractAddress)) differs('to');
  if (!/^0x[0-9a-fA-F]*$/.test(root.value ?? '0x0') || BigInt(root.value ?? '0x0') !== BigInt(transaction.value))
    differs('value');
  if (root.input !== undefined && root.input !== null && !isSame(root.input, transaction.input)) differs('input');
}

function isSame(a: unknown, b: string | null | undefined): boolean {
  return typeof a === 'string' && (a === b || a.toLowerCase() === b?.toLowerCase());
}
