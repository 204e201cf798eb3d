import { known } from '#runtime/known.ts';
import { getCallError, readInternalCalls } from '../codec/internal-calls.ts';
import { type ChainViolation, InvalidChainData, NoCallError } from '../errors.ts';
import type { InternalCall } from '../rpc/internal-call.ts';
import type { BlockBundle, WireCall } from '../rpc/wire-types.ts';

/**
 * Checks the traces of a block against its transactions and receipts. Cannot detect subcalls that callTracer omits; for
 * trace_block, `call-tree.ts` counts subcalls.
 * @throws InvalidChainData for the first error found
 */
export function checkCalls(bundle: BlockBundle, readRoots: () => readonly WireCall[]): InternalCall[][] {
  const number = Number(bundle.block.number);
  const fail = (violation: ChainViolation, detail: string): never => {
    throw new InvalidChainData(violation, number, detail);
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

type Fail = (violation: ChainViolation, detail: string) => never;

function checkRoot({ block, receipts }: BlockBundle, i: number, root: WireCall, fail: Fail): void {
  if (root === null || typeof root !== 'object') fail('trace_shape', `trace ${i} is not an object`);
  const { from, to = null, value, input } = known(block.transactions[i], 'the transaction of a trace');
  const { status = null, contractAddress = null } = known(receipts[i], 'the receipt of a trace');
  const field = findDifference(root, { from, to, value, input, status, contractAddress });
  if (field) fail('trace_mismatch', `trace ${i} is of another transaction: ${field} differs`);
}

/** Outermost call of a trace, according to its transaction and receipt. */
interface ExpectedRoot {
  readonly from: string;
  readonly to: string | null;
  /** Wei, decimal or hex. */
  readonly value: string;
  readonly input: string;
  /** Null before EIP-658. */
  readonly status: string | number | null;
  readonly contractAddress: string | null;
}

/** Compares the outermost call of a trace with its transaction. @returns the first field that differs */
export function findDifference(root: WireCall, expected: ExpectedRoot): string | undefined {
  const { from, to, value, input, status, contractAddress } = expected;
  if (!isSame(root.from, from)) return 'from';
  const failed = getCallError(root) !== '';
  if (status !== null && failed !== (Number(status) === 0)) return 'outcome';
  if (to ? !isSame(root.to, to) : !failed && !isSame(root.to, contractAddress)) return 'to';
  if (!/^0x[0-9a-fA-F]+$/.test(root.value ?? '0x0') || BigInt(root.value ?? '0x0') !== BigInt(value)) return 'value';
  return root.input !== undefined && root.input !== null && !isSame(root.input, input) ? 'input' : undefined;
}

function isSame(a: unknown, b: string | null | undefined): boolean {
  return typeof a === 'string' && (a === b || a.toLowerCase() === b?.toLowerCase());
}
