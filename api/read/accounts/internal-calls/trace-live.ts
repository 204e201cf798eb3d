/** Internal calls of one transaction, traced by the node now: for blocks whose traces are not indexed. */

import { internalCallsOf } from '#chain/codec/internal-calls.ts';
import { UnsupportedMethodError } from '#chain/errors.ts';
import type { WireCall } from '#chain/rpc/wire-types.ts';
import { anywhere, type Cache } from '../../../cache/cache.ts';
import type { DetailRecord } from '../../../terms/records.ts';
import type { NodeDeps } from '../../reader-deps.ts';
import { stateProblem } from '../account-reader.ts';
import type { InternalRecord } from './read-internal.ts';

export interface TraceDeps extends Pick<NodeDeps, 'client'> {
  /** Call trees by transaction and block, as a node told them. */
  readonly traces: Cache<unknown>;
}

/**
 * Rows as the index would have them, asked for once a block that holds the transaction.
 * @returns undefined where the nodes serve no traces at all
 * @throws ApiProblem state_unavailable where a node refuses this trace, node_unavailable where none answers
 */
export async function traceLive(
  { traces, client }: TraceDeps,
  hash: string,
  transaction: DetailRecord,
): Promise<InternalRecord[] | undefined> {
  const ask = async () => {
    const params = [hash, { tracer: 'callTracer' }];
    const root = await client.call<WireCall>('debug_traceTransaction', params, { retries: 1 });
    return rowsOf(root, transaction);
  };
  const traced = traces.of(`${hash}@${transaction.block_hash}`, anywhere, ask) as Promise<InternalRecord[]>;
  return traced.catch((error: unknown) => {
    if (error instanceof UnsupportedMethodError) return undefined;
    throw stateProblem(error, `a trace of transaction ${hash}`);
  });
}

function rowsOf(root: WireCall, transaction: DetailRecord): InternalRecord[] {
  const { block_number, tx_index, hash: tx_hash, timestamp } = transaction;
  const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
  return internalCallsOf(root).map(({ value, gas, gasUsed, traceId, error, ...call }, call_index) => ({
    ...call,
    block_number,
    tx_index,
    call_index,
    tx_hash,
    timestamp,
    value: String(value),
    gas: String(BigInt(gas)),
    gas_used: String(BigInt(gasUsed)),
    trace_id: hexOf(traceId),
    error: hexOf(error),
  }));
}
