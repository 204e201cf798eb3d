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
  const wanted = new Map<WireCall, number>();
  for (const trace of traces) {
    if (trace === null || typeof trace !== 'object') throw new NoCallError('a trace is none');
    if (trace.type === 'reward') continue;
    const { transactionPosition: position, traceAddress, subtraces } = trace;
    if (!Number.isSafeInteger(position) || position! < 0 || position! >= transactionCount)
      throw new NoCallError(`a trace is of transaction ${position} of ${transactionCount}`);
    if (!Array.isArray(traceAddress)) throw new NoCallError('a trace has no address');
    const call = callOf(trace);
    wanted.set(call, subtraces);
    const around = traceAddress
      .slice(0, -1)
      .reduce<WireCall | undefined>(
        (call, at) => call?.calls?.[at],
        traceAddress.length > 0 ? roots.get(position!) : undefined,
      );
    const where = `trace ${traceAddress.join('_') || 'of the root'} of transaction ${position}`;
    if (traceAddress.length === 0) {
      if (roots.has(position!)) throw new NoCallError(`the ${where} is there twice`);
      roots.set(position!, call);
    } else {
      const siblings = around?.calls;
      if (siblings?.length !== traceAddress.at(-1)) throw new NoCallError(`the ${where} is out of place`);
      siblings!.push(call);
    }
  }
  for (const [call, count] of wanted)
    if (call.calls!.length !== count) throw new NoCallError(`a call has ${call.calls!.length} of ${count} calls`);
  return Array.from({ length: transactionCount }, (_, i) => {
    const root = roots.get(i);
    if (!root) throw new NoCallError(`transaction ${i} has no trace`);
    return root;
  });
}

function callOf({ type, action, result, error }: WireTrace): WireCall {
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
