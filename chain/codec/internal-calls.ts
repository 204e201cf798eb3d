/**
 * What a transaction does within itself to the coin: calls that carry value, contracts that contracts make, and what a
 * contract leaves behind. All from the tree of calls that a node traces.
 */

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
/** Code run in the caller's own account, or without value: they show the value of the call around them and move nothing. */
const still = new Set(['CALLCODE', 'DELEGATECALL', 'STATICCALL']);

/**
 * Calls below the root in the order of their execution: those that carry value, and all that make a contract. What failed,
 * or lies within what failed, is among them with its error.
 * @throws NoCallError where the tree is none
 */
export function internalCallsOf(root: WireCall): InternalCall[] {
  const found: InternalCall[] = [];
  addCalls(found, root, '', errorOf(root));
  return found;
}

function addCalls(found: InternalCall[], around: WireCall, path: string, errorAround: string): void {
  const calls = around.calls ?? [];
  if (!Array.isArray(calls)) throw new NoCallError(`calls ${path} are no list`);
  for (const [i, call] of calls.entries()) {
    if (call === null || typeof call !== 'object') throw new NoCallError(`call ${path}${i} is none`);
    const traceId = `${path}${i}`;
    const error = errorOf(call) || errorAround;
    const internal = readCall(call, traceId, error);
    if (internal) found.push(internal);
    addCalls(found, call, `${traceId}_`, error);
  }
}

/** The node's word for a fault; failed calls have one. */
export function errorOf({ error }: WireCall): string {
  if (error === undefined || error === null || error === '') return '';
  const text = String(error);
  // trace_block and callTracer have two words for the same
  return text === 'Reverted' ? 'execution reverted' : text.slice(0, 200);
}

/** @returns undefined for a call that moves nothing */
function readCall(call: WireCall, traceId: string, error: string): InternalCall | undefined {
  const { type, from } = call;
  const value = quantity(call.value, `value of call ${traceId}`);
  if (still.has(type)) return undefined;
  const known = types[type];
  if (!known) throw new NoCallError(`call ${traceId} is of type ${JSON.stringify(type)}`);
  const makes = known === 'create' || known === 'create2';
  if (value === 0n && !makes) return undefined;
  if (!isAddress(from)) throw new NoCallError(`call ${traceId} is from ${JSON.stringify(from)}`);
  return {
    type: known,
    from: from.toLowerCase(),
    to: makes && errorOf(call) !== '' ? null : recipientOf(call, traceId),
    value,
    traceId,
    error,
    gas: `0x${quantity(call.gas, `gas of call ${traceId}`).toString(16)}`,
    gasUsed: `0x${quantity(call.gasUsed, `gas used of call ${traceId}`).toString(16)}`,
  };
}

function recipientOf({ to }: WireCall, traceId: string): string {
  if (!isAddress(to)) throw new NoCallError(`call ${traceId} is to ${JSON.stringify(to)}`);
  return to.toLowerCase();
}

function quantity(hex: string | null | undefined, what: string): bigint {
  if (hex === undefined || hex === null) return 0n;
  if (!isQuantity(hex)) throw new NoCallError(`${what} is ${JSON.stringify(hex).slice(0, 80)}`);
  return BigInt(hex);
}
