import { readInternalCalls } from '#chain/codec/internal-calls.ts';
import { UnsupportedMethodError } from '#chain/errors.ts';
import type { WireCall } from '#chain/rpc/wire-types.ts';
import { anywhere, type Cache } from '../../../cache/cache.ts';
import type { DetailRecord } from '../../../terms/records.ts';
import type { NodeDeps } from '../../reader-deps.ts';
import { stateProblem } from '../account-reader.ts';
import type { InternalRecord } from './read-internal.ts';

export interface TraceDeps extends Pick<NodeDeps, 'client'> {
  readonly traces: Cache<unknown>;
}

/**
 * Lets a node trace a transaction, and returns the rows that the index would store for its internal calls.
 * @returns undefined if no node supports tracing
 * @throws ApiProblem state_unavailable if a node refuses this trace, node_unavailable if no node answers
 */
export async function traceLive(
  { traces, client }: TraceDeps,
  hash: string,
  transaction: DetailRecord,
): Promise<InternalRecord[] | undefined> {
  const fetch = async () => {
    const params = [hash, { tracer: 'callTracer' }];
    const root = await client.call<WireCall>('debug_traceTransaction', params, { retries: 1 });
    return toRows(root, transaction);
  };
  const traced = traces.of(`${hash}@${transaction.block_hash}`, anywhere, fetch) as Promise<InternalRecord[]>;
  return traced.catch((error: unknown) => {
    if (error instanceof UnsupportedMethodError) return undefined;
    throw stateProblem(error, `a trace of transaction ${hash}`);
  });
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
