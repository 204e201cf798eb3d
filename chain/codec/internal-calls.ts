import { NoCallError } from '../errors.ts';
import type { InternalCall, InternalType } from '../rpc/internal-call.ts';
import type { WireCall } from '../rpc/wire-types.ts';
import { isAddress, isQuantity } from './hex.ts';

const types: Readonly<Record<string, InternalType>> = {
  CALL: 'call',
  CREATE: 'create',
  CREATE2: 'create2',
  SELFDESTRUCT: 'selfdestruct',
  SUICIDE: 'selfdestruct',
};
/** Call types that transfer no native currency, even if the node reports a value. */
export const valueless: ReadonlySet<string> = new Set(['CALLCODE', 'DELEGATECALL', 'STATICCALL']);

/**
 * Returns the calls inside a transaction that carry value or create a contract, in execution order. A call without an
 * own error gets the error of the failed call around it. Includes self-destructs of contracts that the transaction
 * created, because these lose what they receive later in the transaction (EIP-6780).
 * @throws NoCallError when the tree is malformed
 */
export function readInternalCalls(root: WireCall): InternalCall[] {
  const found: InternalCall[] = [];
  const created = new Set<string>();
  noteCreated(created, root);
  addCalls({ found, created }, root, '', getCallError(root));
  return found;
}

interface Calls {
  readonly found: InternalCall[];
  /** Addresses of contracts created so far, lower case. */
  readonly created: Set<string>;
}

function noteCreated(created: Set<string>, { type, to }: WireCall): void {
  if (isCreation(types[type]) && typeof to === 'string') created.add(to.toLowerCase());
}

const isCreation = (type: InternalType | undefined) => type === 'create' || type === 'create2';

function addCalls(calls: Calls, around: WireCall, path: string, errorAround: string): void {
  const inner = around.calls ?? [];
  if (!Array.isArray(inner))
    throw new NoCallError(`the field "calls" of trace call ${path || '(root)'} is not an array`);
  for (const [i, call] of inner.entries()) {
    if (call === null || typeof call !== 'object')
      throw new NoCallError(`call ${path}${i} of the trace is not an object`);
    const traceId = `${path}${i}`;
    const error = getCallError(call) || errorAround;
    const internal = readCall(calls, call, traceId, error);
    if (internal) calls.found.push(internal);
    noteCreated(calls.created, call);
    addCalls(calls, call, `${traceId}_`, error);
  }
}

export function getCallError({ error }: WireCall): string {
  if (error === undefined || error === null || error === '') return '';
  const text = String(error);
  // trace_block reports a revert as "Reverted", callTracer as "execution reverted"
  return text === 'Reverted' ? 'execution reverted' : text.slice(0, 200);
}

function readCall({ created }: Calls, call: WireCall, traceId: string, error: string): InternalCall | undefined {
  const { type, from } = call;
  const value = quantity(call.value, `value of call ${traceId}`);
  if (valueless.has(type)) return undefined;
  const known = types[type];
  if (!known) throw new NoCallError(`call ${traceId} of the trace has the unknown type ${JSON.stringify(type)}`);
  const makes = isCreation(known);
  const endsCreated = known === 'selfdestruct' && typeof from === 'string' && created.has(from.toLowerCase());
  if (value === 0n && !makes && !endsCreated) return undefined;
  if (!isAddress(from))
    throw new NoCallError(`call ${traceId} of the trace has an invalid sender ${JSON.stringify(from)}`);
  return {
    type: known,
    from: from.toLowerCase(),
    to: makes && getCallError(call) !== '' ? null : readRecipient(call, traceId),
    value,
    traceId,
    error,
    gas: `0x${quantity(call.gas, `gas of call ${traceId}`).toString(16)}`,
    gasUsed: `0x${quantity(call.gasUsed, `gas used of call ${traceId}`).toString(16)}`,
  };
}

function readRecipient({ to }: WireCall, traceId: string): string {
  if (!isAddress(to))
    throw new NoCallError(`call ${traceId} of the trace has an invalid recipient ${JSON.stringify(to)}`);
  return to.toLowerCase();
}

function quantity(hex: string | null | undefined, what: string): bigint {
  if (hex === undefined || hex === null) return 0n;
  if (!isQuantity(hex)) throw new NoCallError(`${what} is not a hex quantity: ${JSON.stringify(hex).slice(0, 80)}`);
  return BigInt(hex);
}
