import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import { buildCallTrees } from '../codec/call-tree.ts';
import { toQuantity } from '../codec/hex.ts';
import { InvalidChainData, NodeError, UnsupportedMethodError } from '../errors.ts';
import { checkCalls } from '../verify/check-calls.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { InternalCall } from './internal-call.ts';
import type { RpcClient } from './rpc-client.ts';
import type { BlockBundle, WireBlock, WireCall, WireTrace } from './wire-types.ts';

interface TraceMethod {
  readonly method: string;
  calls(bundle: BlockBundle): Call[];
  roots(bundle: BlockBundle, replies: readonly unknown[]): WireCall[];
}

const tracer = { tracer: 'callTracer' };

/**
 * RPC methods that trace a block, best first: replies of trace_block contain their block and the number of subcalls.
 */
const traceMethods: readonly TraceMethod[] = [
  {
    method: 'trace_block',
    calls: ({ block }) => [{ method: 'trace_block', params: [toQuantity(Number(block.number))] }],
    roots: (bundle, [reply]) => rootsOfTraces(bundle, reply),
  },
  {
    method: 'debug_traceBlockByHash',
    calls: ({ block }) => [{ method: 'debug_traceBlockByHash', params: [block.hash, tracer] }],
    roots: (bundle, [reply]) => rootsOfCallTracer(bundle, reply),
  },
  {
    method: 'debug_traceBlockByNumber',
    // replies do not name their block, so the batch also reads the hash at this height
    calls: ({ block }) => [
      { method: 'debug_traceBlockByNumber', params: [toQuantity(Number(block.number)), tracer] },
      { method: 'eth_getBlockByNumber', params: [toQuantity(Number(block.number)), false] },
    ],
    roots: (bundle, [reply, now]) => {
      assertBlock(bundle, (now as WireBlock | null)?.hash);
      return rootsOfCallTracer(bundle, reply);
    },
  },
];

/** Maximum transactions per trace request of several blocks. The node executes them again. */
const transactionsPerBatch = 100;

export interface TraceOptions {
  readonly signal?: AbortSignal | undefined;
  /** If true, an endpoint with invalid traces is not paused. */
  readonly isOptional?: boolean;
}

/**
 * Returns the internal calls (calls inside transactions) per block and transaction.
 * @throws InvalidChainData (also reported to the endpoint, unless traces are optional), TransportError, NodeError,
 *   UnsupportedMethodError when the endpoint supports no trace method
 */
export async function fetchCalls(
  client: RpcClient,
  endpoint: Endpoint,
  bundles: readonly BlockBundle[],
  { signal, isOptional = false }: TraceOptions = {},
): Promise<InternalCall[][][]> {
  const traced: InternalCall[][][] = [];
  for (const batch of batches(bundles)) {
    try {
      traced.push(...(await fetchBatch(client, endpoint, batch, signal)));
    } catch (error) {
      if (error instanceof InvalidChainData && !isOptional) endpoint.reportInvalid(error.message);
      throw error;
    }
  }
  return traced;
}

export const supportsTraces = (endpoint: Endpoint): boolean =>
  traceMethods.some(({ method }) => endpoint.supports(method));

async function fetchBatch(
  client: RpcClient,
  endpoint: Endpoint,
  bundles: readonly BlockBundle[],
  signal: AbortSignal | undefined,
): Promise<InternalCall[][][]> {
  const asked = bundles.filter(({ block }) => block.transactions.length > 0);
  if (asked.length === 0) return bundles.map(() => []);
  // unsupported methods last: the node may support them by now
  const sorted = [...traceMethods].sort(
    (a, b) => Number(endpoint.supports(b.method)) - Number(endpoint.supports(a.method)),
  );
  let refusal: Error | undefined;
  for (const traceMethod of sorted) {
    try {
      const calls = asked.map((bundle) => traceMethod.calls(bundle));
      const { results } = await client.batch(calls.flat(), { endpoint, signal, retries: 1 });
      const size = getFirst(calls).length;
      const found = asked.map((bundle, i) =>
        checkCalls(bundle, () => traceMethod.roots(bundle, results.slice(i * size, (i + 1) * size))),
      );
      return bundles.map((bundle) => found[asked.indexOf(bundle)] ?? []);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      // an error about this block explains more than "unsupported method"
      if (!refusal || refusal instanceof UnsupportedMethodError) refusal = error;
    }
  }
  throw known(refusal, 'the error of the trace methods');
}

function batches(bundles: readonly BlockBundle[]): BlockBundle[][] {
  const all: BlockBundle[][] = [];
  let batch: BlockBundle[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const bundle of bundles) {
    const count = bundle.block.transactions.length;
    if (size + count > transactionsPerBatch) {
      batch = [];
      all.push(batch);
      size = 0;
    }
    batch.push(bundle);
    size += count;
  }
  return all;
}

interface TracedTransaction {
  readonly txHash?: string | null;
  readonly result?: WireCall | null;
  readonly error?: unknown;
}

function rootsOfCallTracer({ block }: BlockBundle, reply: unknown): WireCall[] {
  const number = Number(block.number);
  if (!Array.isArray(reply)) throw new InvalidChainData('null_traces', number, 'the node has no traces of the block');
  return (reply as (TracedTransaction | null)[]).map((item, i) => {
    const { txHash, result, error } = item ?? {};
    if (error)
      throw new InvalidChainData(
        'trace_error',
        number,
        `the trace of transaction ${i} failed: ${String(error).slice(0, 200)}`,
      );
    if (!result) throw new InvalidChainData('trace_shape', number, `the trace of transaction ${i} is missing`);
    // older nodes omit the transaction hash
    if (txHash && txHash.toLowerCase() !== block.transactions[i]?.hash.toLowerCase())
      throw new InvalidChainData('trace_mismatch', number, `trace ${i} names another transaction: ${txHash}`);
    return result;
  });
}

function rootsOfTraces(bundle: BlockBundle, reply: unknown): WireCall[] {
  const { block } = bundle;
  const number = Number(block.number);
  if (!Array.isArray(reply)) throw new InvalidChainData('null_traces', number, 'the node has no traces of the block');
  for (const trace of reply as (WireTrace | null)[]) {
    if (!trace || trace.type === 'reward') continue;
    assertBlock(bundle, trace.blockHash);
    const hash = block.transactions[trace.transactionPosition ?? -1]?.hash;
    if (trace.transactionHash?.toLowerCase() !== hash?.toLowerCase())
      throw new InvalidChainData(
        'trace_mismatch',
        number,
        `a trace names another transaction: ${trace.transactionHash}`,
      );
  }
  return buildCallTrees(reply as WireTrace[], block.transactions.length);
}

function assertBlock({ block }: BlockBundle, hash: unknown): void {
  if (String(hash).toLowerCase() !== block.hash.toLowerCase())
    throw new InvalidChainData('wrong_block_hash', Number(block.number), `the traces are of block ${hash}`);
}
