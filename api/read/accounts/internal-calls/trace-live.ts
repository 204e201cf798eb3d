import { readInternalCalls } from '#chain/codec/internal-calls.ts';
import { InvalidChainData, UnsupportedMethodError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { WireCall, WireTransaction } from '#chain/rpc/wire-types.ts';
import { findDifference } from '#chain/verify/check-calls.ts';
import { anywhere, type Cache } from '../../../cache/cache.ts';
import type { DetailRecord } from '../../../terms/records.ts';
import type { NodeDeps } from '../../reader-deps.ts';
import { stateProblem } from '../account-reader.ts';
import type { InternalRecord } from './read-internal.ts';

export interface TraceDeps extends Pick<NodeDeps, 'client'> {
  readonly traces: Cache<unknown>;
}

type TracedTransaction = Pick<
  DetailRecord,
  'hash' | 'block_number' | 'block_hash' | 'from' | 'to' | 'value' | 'input' | 'status' | 'contract_address'
>;

/**
 * Traces a transaction on a node and returns its outermost call. Call data is cut to the method selector.
 * @returns undefined if no node supports tracing
 * @throws ApiProblem state_unavailable if a node refuses; node_unavailable if no node answers, or if the trace is of
 *   another block or transaction
 */
export function readCallTree(
  { traces, client }: TraceDeps,
  transaction: TracedTransaction,
): Promise<WireCall | undefined> {
  const { hash, block_hash } = transaction;
  const fetch = async () => {
    const calls = [
      { method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] },
      { method: 'eth_getTransactionByHash', params: [hash] }, // the trace does not name its block
    ];
    for (const avoid = new Set<Endpoint>(); ; ) {
      const { results, endpoint } = await client.batch(calls, { retries: 1, avoid });
      const [root, sent] = results as [WireCall, WireTransaction | null];
      try {
        assertTrace(transaction, root, sent);
        return withoutData(root);
      } catch (error) {
        avoid.add(endpoint); // the node may be behind or on another branch
        if (avoid.size >= client.endpoints.length) throw error;
      }
    }
  };
  const traced = traces.of(`${hash}@${block_hash}`, anywhere, fetch) as Promise<WireCall>;
  return traced.catch((error: unknown) => {
    if (error instanceof UnsupportedMethodError) return undefined;
    throw stateProblem(error, `a trace of transaction ${hash}`);
  });
}

function assertTrace(
  { block_number, block_hash, contract_address: contractAddress, ...expected }: TracedTransaction,
  root: WireCall,
  sent: WireTransaction | null,
): void {
  const fail = (detail: string): never => {
    throw new InvalidChainData('trace_mismatch', Number(block_number), detail);
  };
  if (sent?.blockHash?.toLowerCase() !== block_hash) fail(`the node has the transaction in block ${sent?.blockHash}`);
  if (root === null || typeof root !== 'object') fail('the trace is not an object');
  const field = findDifference(root, { ...expected, contractAddress });
  if (field) fail(`the trace is of another transaction: ${field} differs`);
}

/** Accepts malformed calls, because readInternalCalls reports them. */
function withoutData(call: WireCall): WireCall {
  if (call === null || typeof call !== 'object') return call;
  const { type, from, to = null, value = null, gas = null, gasUsed = null, error = null } = call;
  const input = typeof call.input === 'string' ? call.input.slice(0, 10) : null;
  const calls = Array.isArray(call.calls) ? call.calls.map(withoutData) : (call.calls ?? null);
  return { type, from, to, value, gas, gasUsed, error, input, calls };
}

/** Returns internal calls from a node in the shape of indexed rows. */
export async function traceLive(deps: TraceDeps, transaction: DetailRecord): Promise<InternalRecord[] | undefined> {
  const root = await readCallTree(deps, transaction);
  return root && toRows(root, transaction);
}

function toRows(root: WireCall, transaction: DetailRecord): InternalRecord[] {
  const { block_number, tx_index, hash: tx_hash, timestamp } = transaction;
  const toHex = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
  return readInternalCalls(root).map(({ value, gas, gasUsed, traceId, error, ...call }, call_index) => ({
    ...call,
    block_number,
    tx_index,
    call_index,
    tx_hash,
    timestamp,
    value: String(value),
    gas: String(BigInt(gas)),
    gas_used: String(BigInt(gasUsed)),
    trace_id: toHex(traceId),
    error: toHex(error),
  }));
}
