/** Traces of blocks, by whichever way a node has, checked before anyone sees them. */

import { known } from '#runtime/known.ts';
import { firstOf } from '#runtime/lists.ts';
import { callTrees } from '../codec/call-tree.ts';
import { toQuantity } from '../codec/hex.ts';
import { InvalidChainData, NodeError, UnsupportedMethodError } from '../errors.ts';
import { checkCalls } from '../verify/check-calls.ts';
import type { Call, Endpoint } from './endpoint.ts';
import type { InternalCall } from './internal-call.ts';
import type { RpcClient } from './rpc-client.ts';
import type { BlockBundle, WireBlock, WireCall, WireTrace } from './wire-types.ts';

/** One way to ask for a block's traces. */
interface TraceWay {
  readonly method: string;
  calls(bundle: BlockBundle): Call[];
  /** Roots by transaction out of the replies. @throws InvalidChainData where they are of another block */
  roots(bundle: BlockBundle, replies: readonly unknown[]): WireCall[];
}

const tracer = { tracer: 'callTracer' };

/** In the order in which they are tried: trace_block names the block and counts the calls, so more of it can be checked. */
const ways: readonly TraceWay[] = [
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
    // the traces name no block: the one that is at this height now says whether it is the same
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

/** Transactions traced in one request: a trace is the work of a block. */
const transactionsPerBatch = 100;

/**
 * Internal calls of each block, by transaction. Blocks without transactions are not asked about.
 * @param endpoint asked alone; ways that it does not serve are left out
 * @throws InvalidChainData (the endpoint is then marked), TransportError, NodeError, UnsupportedMethodError where it serves no way
 */
export async function fetchCalls(
  client: RpcClient,
  endpoint: Endpoint,
  bundles: readonly BlockBundle[],
  signal?: AbortSignal,
): Promise<InternalCall[][][]> {
  const traced: InternalCall[][][] = [];
  for (const batch of batches(bundles)) {
    try {
      traced.push(...(await fetchBatch(client, endpoint, batch, signal)));
    } catch (error) {
      if (error instanceof InvalidChainData) endpoint.reportInvalid(error.message);
      throw error;
    }
  }
  return traced;
}

/** Whether an endpoint is known to serve no way at all. */
export const servesTraces = (endpoint: Endpoint): boolean => ways.some(({ method }) => endpoint.supports(method));

async function fetchBatch(
  client: RpcClient,
  endpoint: Endpoint,
  bundles: readonly BlockBundle[],
  signal: AbortSignal | undefined,
): Promise<InternalCall[][][]> {
  const asked = bundles.filter(({ block }) => block.transactions.length > 0);
  if (asked.length === 0) return bundles.map(() => []);
  // a way that was not served once may be served later: it is tried last
  const tried = [...ways].sort((a, b) => Number(endpoint.supports(b.method)) - Number(endpoint.supports(a.method)));
  let refusal: Error | undefined;
  for (const way of tried) {
    try {
      const calls = asked.map((bundle) => way.calls(bundle));
      const { results } = await client.batch(calls.flat(), { endpoint, signal, retries: 1 });
      const size = firstOf(calls).length;
      const found = asked.map((bundle, i) =>
        checkCalls(bundle, () => way.roots(bundle, results.slice(i * size, (i + 1) * size))),
      );
      return bundles.map((bundle) => found[asked.indexOf(bundle)] ?? []);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      // what a node says of a block that it cannot trace matters more than that it lacks other ways
      if (!refusal || refusal instanceof UnsupportedMethodError) refusal = error;
    }
  }
  throw known(refusal, 'the refusal of every way');
}

function batches(bundles: readonly BlockBundle[]): BlockBundle[][] {
  const all: BlockBundle[][] = [];
  let batch: BlockBundle[] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const bundle of bundles) {
    const count = bundle.block.transactions.length;
    if (held + count > transactionsPerBatch) {
      batch = [];
      all.push(batch);
      held = 0;
    }
    batch.push(bundle);
    held += count;
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
    if (error) throw new InvalidChainData('trace_error', number, `trace ${i}: ${String(error).slice(0, 200)}`);
    if (!result) throw new InvalidChainData('trace_shape', number, `trace ${i} is missing`);
    // older nodes leave the hash out
    if (txHash && txHash.toLowerCase() !== block.transactions[i]?.hash.toLowerCase())
      throw new InvalidChainData('trace_mismatch', number, `trace ${i} is of transaction ${txHash}`);
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
      throw new InvalidChainData('trace_mismatch', number, `a trace is of transaction ${trace.transactionHash}`);
  }
  return callTrees(reply as WireTrace[], block.transactions.length);
}

function assertBlock({ block }: BlockBundle, hash: unknown): void {
  if (String(hash).toLowerCase() !== block.hash.toLowerCase())
    throw new InvalidChainData('wrong_block_hash', Number(block.number), `its traces are of block ${hash}`);
}
