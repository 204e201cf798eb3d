import { NoCallError } from '../errors.ts';
import type { WireCall, WireTrace } from '../rpc/wire-types.ts';

/**
 * Builds a call tree per transaction from the flat list that trace_block returns.
 * @returns the outermost call of each transaction, in block order
 * @throws NoCallError when a call is missing or misplaced
 * @source OpenEthereum docs, trace module
 */
export function buildCallTrees(traces: readonly WireTrace[], transactionCount: number): WireCall[] {
  const roots = new Map<number, WireCall>();
  const wanted = new Map<TracedCall, number>();
  for (const trace of traces) {
    if (trace === null || typeof trace !== 'object') throw new NoCallError('a trace is not an object');
    if (trace.type !== 'reward') wanted.set(addCall(roots, trace, transactionCount), trace.subtraces);
  }
  for (const [{ calls }, count] of wanted)
    if (calls.length !== count)
      throw new NoCallError(`the trace contains ${calls.length} subcalls, but its field subtraces is ${count}`);
  return Array.from({ length: transactionCount }, (_, i) => {
    const root = roots.get(i);
    if (!root) throw new NoCallError(`the node returned no trace of transaction ${i} of the block`);
    return root;
  });
}

type TracedCall = WireCall & { calls: WireCall[] };

function addCall(roots: Map<number, WireCall>, trace: WireTrace, transactionCount: number): TracedCall {
  const { transactionPosition: position, traceAddress } = trace;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0 || position >= transactionCount)
    throw new NoCallError(
      `a trace has transaction position ${position}, the block has ${transactionCount} transactions`,
    );
  if (!Array.isArray(traceAddress)) throw new NoCallError('a trace has no field traceAddress');
  const call = toCall(trace);
  const where = `trace ${traceAddress.join('_') || 'of the root'} of transaction ${position}`;
  if (traceAddress.length === 0) {
    if (roots.has(position)) throw new NoCallError(`the node returned the ${where} twice`);
    roots.set(position, call);
    return call;
  }
  const path = traceAddress.slice(0, -1);
  const siblings = path.reduce<WireCall | undefined>((around, at) => around?.calls?.[at], roots.get(position))?.calls;
  if (!siblings || siblings.length !== traceAddress.at(-1))
    throw new NoCallError(`the ${where} is out of place: its parent or previous sibling is missing`);
  siblings.push(call);
  return call;
}

function toCall({ type, action, result, error }: WireTrace): TracedCall {
  if (action === null || typeof action !== 'object') throw new NoCallError('a trace has no field action');
  const shared = { gas: action.gas ?? null, gasUsed: result?.gasUsed ?? null, error: error ?? null, calls: [] };
  if (type === 'suicide' || type === 'selfdestruct') {
    const { address: from = '', refundAddress: to = '', balance: value = '0x0' } = action;
    return { ...shared, type: 'SELFDESTRUCT', from, to, value };
  }
  const { from = '', value = '0x0' } = action;
  if (type === 'create') {
    const method = (action.creationMethod ?? 'create').toUpperCase();
    return { ...shared, type: method, from, to: result?.address ?? null, value, input: action.init ?? null };
  }
  if (type !== 'call') throw new NoCallError(`a trace has the unknown type ${JSON.stringify(type)}`);
  const kind = (action.callType ?? 'call').toUpperCase();
  return { ...shared, type: kind, from, to: action.to ?? null, value, input: action.input ?? null };
}
