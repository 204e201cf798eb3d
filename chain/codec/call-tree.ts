/** The flat list of trace_block as trees of calls, one a transaction. @source OpenEthereum docs, trace module */
import { NoCallError } from '../errors.ts';
import type { WireCall, WireTrace } from '../rpc/wire-types.ts';

/**
 * Roots by position of the transaction; rewards of blocks are left out.
 * @param transactionCount of the block
 * @throws NoCallError where a call is missing or has no place
 */
export function callTrees(traces: readonly WireTrace[], transactionCount: number): WireCall[] {
  const roots = new Map<number, WireCall>();
  const wanted = new Map<TracedCall, number>();
  for (const trace of traces) {
    if (trace === null || typeof trace !== 'object') throw new NoCallError('a trace is none');
    if (trace.type !== 'reward') wanted.set(addCall(roots, trace, transactionCount), trace.subtraces);
  }
  for (const [{ calls }, count] of wanted)
    if (calls.length !== count) throw new NoCallError(`a call has ${calls.length} of ${count} calls`);
  return Array.from({ length: transactionCount }, (_, i) => {
    const root = roots.get(i);
    if (!root) throw new NoCallError(`transaction ${i} has no trace`);
    return root;
  });
}

type TracedCall = WireCall & { calls: WireCall[] };

/** Puts a call at its place in the tree of its transaction: a root, or the next call of the one around it. */
function addCall(roots: Map<number, WireCall>, trace: WireTrace, transactionCount: number): TracedCall {
  const { transactionPosition: position, traceAddress } = trace;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0 || position >= transactionCount)
    throw new NoCallError(`a trace is of transaction ${position} of ${transactionCount}`);
  if (!Array.isArray(traceAddress)) throw new NoCallError('a trace has no address');
  const call = callOf(trace);
  const where = `trace ${traceAddress.join('_') || 'of the root'} of transaction ${position}`;
  if (traceAddress.length === 0) {
    if (roots.has(position)) throw new NoCallError(`the ${where} is there twice`);
    roots.set(position, call);
    return call;
  }
  const path = traceAddress.slice(0, -1);
  const siblings = path.reduce<WireCall | undefined>((around, at) => around?.calls?.[at], roots.get(position))?.calls;
  if (!siblings || siblings.length !== traceAddress.at(-1)) throw new NoCallError(`the ${where} is out of place`);
  siblings.push(call);
  return call;
}

function callOf({ type, action, result, error }: WireTrace): TracedCall {
  if (action === null || typeof action !== 'object') throw new NoCallError('a trace has no action');
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
  if (type !== 'call') throw new NoCallError(`a trace is of type ${JSON.stringify(type)}`);
  const kind = (action.callType ?? 'call').toUpperCase();
  return { ...shared, type: kind, from, to: action.to ?? null, value, input: action.input ?? null };
}
