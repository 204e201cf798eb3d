import { getFirst } from '#runtime/lists.ts';
import { toQuantity } from '../codec/hex.ts';
import { InvalidChainData, NodeError, TransportError, UnsupportedMethodError } from '../errors.ts';
import type { Interval } from '../intervals.ts';
import { checkBundle } from '../verify/check-bundle.ts';
import { checkLinks } from '../verify/check-links.ts';
import { type VerifyLevel, verifyBundle } from '../verify/verify-bundle.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { normaliseBlock } from './normalise-block.ts';
import { type ReadReply, readReply } from './read-reply.ts';
import type { RpcClient } from './rpc-client.ts';
import type { BlockBundle, RawBlock, WireBlock } from './wire-types.ts';

export interface FetchOptions {
  readonly verify: VerifyLevel;
  readonly signal?: AbortSignal | undefined;
  readonly endpoint?: Endpoint | undefined;
  readonly retries?: number;
  /** If true, an endpoint without the block is not paused: it may be late or on another branch. */
  readonly mayLack?: boolean;
  /** Called with each block and its receipts, before they are normalised and checked. */
  readonly onReceived?: ((block: unknown, receipts: unknown) => void) | undefined;
}

interface FetchedBlocks {
  readonly bundles: BlockBundle[];
  readonly endpoint: Endpoint;
}

/**
 * Fetches and checks blocks and their receipts by number. Receipts of another branch fail, because their block hashes
 * differ.
 * @throws InvalidChainData (also counts against the endpoint's health), TransportError, NodeError
 */
export async function fetchBlocks(
  client: RpcClient,
  fromBlock: number,
  toBlock: number,
  options: FetchOptions,
): Promise<FetchedBlocks> {
  const numbers = Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => fromBlock + i);
  const fetched = await fetchWithReceipts(client, { fromBlock, toBlock }, options, readReply);
  if (fetched) return accept(numbers, options, fetched.endpoint, (i) => pairAt(fetched.results, i));
  return fetchApart(client, numbers, { ...options, minHead: toBlock });
}

/** Fetches blocks, then receipts from the same endpoint. Tries another endpoint if it has pruned the receipts. */
async function fetchApart(
  client: RpcClient,
  numbers: readonly number[],
  options: FetchOptions & { readonly minHead: number },
): Promise<FetchedBlocks> {
  const avoid = new Set<Endpoint>();
  for (;;) {
    const { results, endpoint } = await client.batch(numbers.map(blockByNumber), { ...options, avoid });
    try {
      const receipts = await fetchReceiptsOneByOne(client, results as (WireBlock | null)[], endpoint, options);
      return accept(numbers, options, endpoint, (i) => [results[i], receipts[i]]);
    } catch (error) {
      const wasAsked = avoid.has(endpoint); // all others lack the block or do not answer
      avoid.add(endpoint);
      const isLast = options.endpoint !== undefined || client.onBranch.every((other) => avoid.has(other));
      if (!(error instanceof NodeError) || isLast || wasAsked) throw error;
    }
  }
}

/**
 * Fetches blocks and their receipts in one batch. `pairAt` returns one block of the results.
 * @param read parses the reply, for example on another thread
 * @returns undefined if no endpoint supports eth_getBlockReceipts, or if those fail and another one can be queried
 */
export async function fetchWithReceipts<T>(
  client: RpcClient,
  { fromBlock, toBlock }: Interval,
  options: Omit<FetchOptions, 'verify'>,
  read: ReadReply<T>,
): Promise<{ readonly results: T; readonly endpoint: Endpoint } | undefined> {
  if (!canServeReceipts(client, options.endpoint)) return undefined;
  const hasOther = options.endpoint === undefined && canServeApart(client);
  const able = client.onBranch.filter(canServe).length;
  if (hasOther && able === 0) return undefined;
  const calls: Call[] = [];
  for (let number = fromBlock; number <= toBlock; number++)
    calls.push(blockByNumber(number), { method: 'eth_getBlockReceipts', params: [toQuantity(number)] });
  try {
    return await client.batchBy(read, calls, { ...options, ...(hasOther ? { retries: able } : {}), minHead: toBlock });
  } catch (error) {
    if (error instanceof UnsupportedMethodError) return undefined;
    if ((error instanceof TransportError || error instanceof NodeError) && hasOther) return undefined;
    throw error;
  }
}

const canServe = (endpoint: Endpoint) => endpoint.available && endpoint.supports('eth_getBlockReceipts');

/** Returns whether an endpoint without eth_getBlockReceipts can be queried. */
const canServeApart = ({ onBranch }: RpcClient): boolean =>
  onBranch.some((endpoint) => endpoint.available && !endpoint.supports('eth_getBlockReceipts'));

export const pairAt = (results: readonly unknown[], index: number): RawBlock =>
  [results[2 * index], results[2 * index + 1]] as unknown as RawBlock;

/** Fetches a block near the head. Requests receipts by block hash, because a reorg may replace the block meanwhile. */
export async function fetchBlockAtHead(
  client: RpcClient,
  at: number | { readonly hash: string; readonly number: number },
  options: FetchOptions,
): Promise<FetchedBlocks> {
  const number = typeof at === 'number' ? at : at.number;
  const call = typeof at === 'number' ? blockByNumber(at) : { method: 'eth_getBlockByHash', params: [at.hash, true] };
  const { results, endpoint } = await client.batch([call], { ...options, minHead: number });
  const block = results[0] as WireBlock | null;
  const transactions = block?.transactions;
  if (!block || (Array.isArray(transactions) && transactions.length === 0))
    return accept([number], options, endpoint, () => [block, []]);
  if (endpoint.supports('eth_getBlockReceipts')) {
    try {
      const receipts = await client.call('eth_getBlockReceipts', [block.hash], { ...options, endpoint });
      return accept([number], options, endpoint, () => [block, receipts]);
    } catch (error) {
      if (!(error instanceof UnsupportedMethodError)) throw error;
    }
  }
  const receipts = await fetchReceiptsOneByOne(client, [block], endpoint, options);
  return accept([number], options, endpoint, () => [block, receipts[0]]);
}

function canServeReceipts(client: RpcClient, chosen: Endpoint | undefined): boolean {
  const candidates = chosen ? [chosen] : client.onBranch;
  return candidates.some((endpoint) => endpoint.supports('eth_getBlockReceipts'));
}

const blockByNumber = (number: number): Call => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
});

const receiptsPerBatch = 200;

/** For nodes without eth_getBlockReceipts. */
async function fetchReceiptsOneByOne(
  client: RpcClient,
  blocks: readonly (WireBlock | null)[],
  endpoint: Endpoint,
  options: FetchOptions,
): Promise<(unknown[] | null)[]> {
  const hashes = blocks.flatMap((block) =>
    Array.isArray(block?.transactions) ? block.transactions.map((tx) => tx?.hash) : [],
  );
  const batches: Promise<unknown[]>[] = [];
  for (let at = 0; at < hashes.length; at += receiptsPerBatch) {
    const calls = hashes
      .slice(at, at + receiptsPerBatch)
      .map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
    batches.push(client.batch(calls, { ...options, endpoint }).then((answer) => answer.results));
  }
  const receipts = (await Promise.all(batches)).flat();
  let at = 0;
  return blocks.map((block) => {
    if (!Array.isArray(block?.transactions)) return null;
    at += block.transactions.length;
    return receipts.slice(at - block.transactions.length, at);
  });
}

function accept(
  numbers: readonly number[],
  options: FetchOptions,
  endpoint: Endpoint,
  pair: (index: number) => readonly [unknown, unknown],
): FetchedBlocks {
  try {
    const received = numbers.map((_, i) => pair(i) as RawBlock);
    if (options.onReceived) for (const [block, receipts] of received) options.onReceived(block, receipts);
    return { bundles: checkReceived(getFirst(numbers), received, options.verify), endpoint };
  } catch (error) {
    const isLacking = options.mayLack && error instanceof InvalidChainData && error.violation === 'null_block';
    if (error instanceof InvalidChainData && !isLacking) endpoint.reportInvalid(error.message);
    throw error;
  }
}

/** @throws InvalidChainData */
export function checkReceived(fromBlock: number, received: readonly RawBlock[], verify: VerifyLevel): BlockBundle[] {
  const bundles = received.map(([block, answered], i) => {
    try {
      const bundle = checkBundle(fromBlock + i, block, normaliseBlock(block, answered));
      verifyBundle(bundle, verify);
      return bundle;
    } catch (error) {
      if (error instanceof InvalidChainData) throw error;
      // a library rejected a value that passed the checks above, such as data with a non-hex letter
      throw new InvalidChainData('bad_field', fromBlock + i, `a field can't be read: ${String(error).slice(0, 200)}`);
    }
  });
  checkLinks(bundles, undefined);
  return bundles;
}
