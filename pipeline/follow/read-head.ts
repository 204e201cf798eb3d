import { isHash, isQuantity, toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import type { PipelineDeps } from '../deps.ts';

export interface ObservedHead extends HeadRef {
  readonly endpoint: Endpoint;
}

/**
 * Reads the newest block of each endpoint, and sorts them: highest first, equal ones in configured order. Omits endpoints that don't answer in
 * time.
 */
export async function readHeads(client: RpcClient, signal: AbortSignal): Promise<ObservedHead[]> {
  const call = { method: 'eth_getBlockByNumber', params: ['latest', false] };
  const heads = await Promise.all(
    client.endpoints.map(async (endpoint) => {
      if (client.endpoints.length > 1 && !endpoint.available) return undefined;
      const [block] = await endpoint.send([call], signal).catch(() => [undefined]);
      const head = asHead(block);
      if (head) endpoint.setHead(head.number);
      return head && { ...head, endpoint };
    }),
  );
  return heads.filter((head) => head !== undefined).sort((a, b) => b.number - a.number);
}

/**
 * Reads the number of the node's finalized block, unless the settings say when blocks are final.
 * @returns undefined with the setting finalityDepth, or when the node knows no such block or rejects the tag
 * @throws TransportError when no node answers: then nothing is known about finality
 */
export async function readFinalizedTag({
  client,
  settings,
  signal,
}: Pick<PipelineDeps, 'client' | 'settings' | 'signal'>): Promise<number | undefined> {
  if (settings.finalityDepth !== undefined) return undefined;
  try {
    return asHead(await client.call('eth_getBlockByNumber', ['finalized', false], { signal, retries: 1 }))?.number;
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/** @returns undefined if the header is invalid */
export function asHead(block: unknown): HeadRef | undefined {
  const { number, hash, parentHash, timestamp } = (block ?? {}) as Record<string, unknown>;
  if (!isQuantity(number) || !isQuantity(timestamp) || !isHash(hash) || !isHash(parentHash)) return undefined;
  const height = Number(number);
  if (!Number.isSafeInteger(height)) return undefined;
  return {
    number: height,
    hash: hash.toLowerCase(),
    parentHash: parentHash.toLowerCase(),
    timestamp: Number(timestamp),
  };
}

/**
 * Reads a block header from one endpoint.
 * @returns undefined when the endpoint lacks the block
 * @throws TransportError when it doesn't answer
 */
export async function blockAt(
  { client, signal }: { readonly client: RpcClient; readonly signal: AbortSignal },
  endpoint: Endpoint,
  block: number,
): Promise<HeadRef | undefined> {
  try {
    const params = [toQuantity(block), false];
    const head = asHead(await client.call('eth_getBlockByNumber', params, { endpoint, signal, retries: 1 }));
    return head?.number === block ? head : undefined;
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}
