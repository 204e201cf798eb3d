import { FutureBlockError, NodeError, PrunedStateError, UnsupportedMethodError } from '../errors.ts';
import type { Call } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

interface AskOptions {
  readonly retries: number;
  readonly minHead?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads account state from the first endpoint that has the state of the block.
 * @param callsAt returns calls with valid parameters for a block tag, so that an error means missing state
 * @throws FutureBlockError when no node has the block yet; PrunedStateError when nodes answer but none has the state;
 *   UnsupportedMethodError; TransportError when no node answers
 */
export async function askState(
  client: RpcClient,
  callsAt: (tag: string) => readonly Call[],
  tag: string,
  options: AskOptions,
): Promise<unknown[]> {
  const isNewest = !tag.startsWith('0x');
  let refusal: NodeError;
  try {
    return (await client.batch(callsAt(tag), { isNewest, ...options })).results;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    refusal = error;
  }
  for (const endpoint of isNewest ? client.nearNewest : client.onBranch) {
    try {
      return (await client.batch(callsAt(tag), { endpoint, retries: 0, signal: options.signal })).results;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      refusal = error;
    }
  }
  // nodes always have the latest state: a failure to read it is temporary
  if (tag !== 'latest') await assertAnswers(client, callsAt, refusal, options.signal);
  if (refusal instanceof UnsupportedMethodError) throw refusal;
  throw (await isAboveHeads(client, tag, options.signal))
    ? new FutureBlockError(tag)
    : new PrunedStateError(tag, refusal.method);
}

async function isAboveHeads(client: RpcClient, tag: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (!tag.startsWith('0x') || Number(tag) <= client.newestHead) return false;
  const head = await client.call('eth_blockNumber', [], { retries: 1, signal }).catch(() => undefined);
  return head !== undefined && Number(tag) > Math.max(Number(head), client.newestHead);
}

async function assertAnswers(
  client: RpcClient,
  callsAt: (tag: string) => readonly Call[],
  refusal: NodeError,
  signal: AbortSignal | undefined,
) {
  await client.batch(callsAt('latest'), { retries: 1, signal }).catch((error: unknown) => {
    throw error instanceof NodeError ? refusal.toTransportError() : error;
  });
}
