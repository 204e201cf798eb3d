import { isHash, isQuantity, toQuantity } from '#chain/codec/hex.ts';
import { NodeError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { askEach } from '#runtime/ask-each.ts';
import { readMark } from '#sql/job-marks.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import { writeMark } from '../jobs/job-marks.ts';
import type { ChainWindow } from './chain-window.ts';
import type { FollowSettings } from './follow-settings.ts';

const [lateHeads, lateTags] = [new WeakSet<Endpoint>(), new WeakSet<Endpoint>()];

export interface ObservedHead extends HeadRef {
  readonly endpoint: Endpoint;
}

/**
 * Reads the newest block of each endpoint, highest first, then in configured order. Omits endpoints that are slow or on
 * another branch than most.
 */
export async function readHeads(client: RpcClient, signal: AbortSignal): Promise<ObservedHead[]> {
  const call = { method: 'eth_getBlockByNumber', params: ['latest', false] };
  const endpoints = client.onBranch.filter(({ available }) => available || client.endpoints.length === 1);
  const heads = await askEach(
    endpoints,
    async (endpoint) => {
      const [block] = await endpoint.send([call], signal);
      const head = asHead(block);
      if (head) endpoint.setHead(head.number);
      return head && { ...head, endpoint };
    },
    { late: lateHeads },
  );
  return heads.filter((head) => head !== undefined).sort((a, b) => b.number - a.number);
}

/** Returns the highest head. Among equal heights, prefers the followed block: one differing endpoint is no reorg. */
export function chooseHead(heads: readonly ObservedHead[], followed: ChainWindow): ObservedHead | undefined {
  const highest = heads.filter(({ number }) => number === heads[0]?.number);
  return highest.find(({ number, hash }) => followed.at(number)?.hash === hash) ?? highest[0];
}

/** Job mark: a node of this chain has reported a finalized block. */
const tagMark = 'finalized tag was reported';
/** Clients whose chain has this mark, to read it once per process. */
const marked = new WeakSet<RpcClient>();

/**
 * Reads the highest finalized block that nodes report. If the first node reports none or block 0, as after a start,
 * queries the others.
 * @returns undefined with the setting finalityDepth, or if no node of this chain has ever reported a finalized block
 * @throws TransportError if no node answers; Error if nodes no longer report a finalized block (final by depth could be
 *   too early)
 */
export async function readFinalizedTag(
  deps: StoreDeps & NodeDeps & { readonly settings: Pick<FollowSettings, 'finalityDepth'> },
): Promise<HeadRef | undefined> {
  const { client, settings, signal } = deps;
  if (settings.finalityDepth !== undefined) return undefined;
  const first = await readTag(deps, undefined);
  const others = first?.number || client.endpoints.length === 1 ? [] : client.endpoints;
  const tags = await askEach(others, (endpoint) => readTag(deps, endpoint), { late: lateTags });
  const [tag] = [first, ...tags].filter((each) => each !== undefined).sort((a, b) => b.number - a.number);
  signal.throwIfAborted();
  const wasReported = marked.has(client) || (await readMark(deps, tagMark)) >= 0;
  if (tag && tag.number > 0) {
    if (!wasReported) await writeMark(deps, tagMark, tag.number);
    marked.add(client);
    return tag;
  }
  if (wasReported)
    throw new Error('no node reports a finalized block, although one did before: if this is meant, set FINALITY_DEPTH');
  return undefined;
}

/** @returns undefined when the node knows no finalized block or rejects the tag */
async function readTag({ client, signal }: NodeDeps, endpoint: Endpoint | undefined): Promise<HeadRef | undefined> {
  const options = { signal, retries: 1, ...(endpoint && { endpoint }) };
  try {
    return asHead(await client.call('eth_getBlockByNumber', ['finalized', false], options));
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
