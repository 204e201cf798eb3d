import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { pause } from '#runtime/shutdown.ts';
import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps } from '../reader-deps.ts';
import { chainHead, isSilent, unproven } from './freshness.ts';

export interface ReachDeps extends NodeDeps, SnapshotDeps {}

const maxWaitMs = 1_500;
const pollMs = 25;
const nodeTimeoutMs = 3_000;

/**
 * Waits at most `maxWaitMs` until the index contains a block. Returns at once if no node has the block. A reorg may
 * remove the block again, so the caller must check its own snapshot.
 */
export async function reachBlock(deps: ReachDeps, block: number): Promise<void> {
  if ((deps.snapshots.lastHead ?? -1) >= block) return;
  const state = await deps.snapshots.current();
  if (!state || state.head >= block) return;
  if (chainHead(deps, state) < block) await askInTime(deps);
  if (chainHead(deps, state) < block) return;
  await waitForBlock(deps, block, maxWaitMs);
}

/** Returns whether the index lags at most `maxLag` blocks behind nodes that answered lately or answer now. */
export async function isNearChain(deps: ReachDeps & CoverageDeps, state: ChainState, maxLag: number): Promise<boolean> {
  if (isSilent(deps, state)) await askInTime(deps);
  return !isSilent(deps, state) && chainHead(deps, state) - state.head <= maxLag;
}

const askInTime = (deps: NodeDeps) => Promise.race([askHeads(deps), pause(nodeTimeoutMs)]);

const asking = new WeakMap<RpcClient, Promise<unknown>>();

/** Asks the nodes for their newest blocks. Callers share the next request: a running one may return older heads. */
async function askHeads({ client, upstreams }: NodeDeps): Promise<void> {
  const before = asking.get(client);
  await before;
  const ask = () => Promise.all([refreshHeads(client, AbortSignal.timeout(nodeTimeoutMs)), upstreams.probe()]);
  const next = asking.get(client);
  if (next && next !== before) return void (await next);
  const asked = ask().finally(() => asking.delete(client));
  asking.set(client, asked);
  await asked;
}

export async function waitForBlock({ snapshots }: SnapshotDeps, block: number, maxMs: number): Promise<void> {
  for (const end = performance.now() + maxMs; performance.now() < end; ) {
    const state = await snapshots.current();
    if (state && state.head >= block) return;
    await pause(pollMs);
  }
}

interface Found<T> {
  readonly state: ChainState;
  readonly found: T | undefined;
}

const look = <T>({ snapshots }: SnapshotDeps, find: (state: ChainState) => Promise<T | undefined>): Promise<Found<T>> =>
  snapshots.run(async (state) => ({ state, found: await find(state) }));

/**
 * Finds an object by transaction hash. If there is none, waits for the newest block of the nodes and looks again.
 * @throws ApiProblem indexing if needed blocks are not indexed; node_unavailable
 */
export async function findByHash<T>(
  deps: ReachDeps & CoverageDeps,
  hash: string,
  find: (state: ChainState) => Promise<T | undefined>,
): Promise<Found<T>> {
  const first = await look(deps, find);
  if (first.found !== undefined) return first;
  const block = await askBlockNumber(deps, 'eth_getTransactionReceipt', [hash]);
  if (block === undefined)
    throw new ApiProblem(
      'node_unavailable',
      `transaction ${hash} is not indexed, and no node answered whether it exists`,
    );
  await reachBlock(deps, Math.max(block ?? 0, chainHead(deps, first.state)));
  const { state, found } = await look(deps, find);
  if (found !== undefined) return { state, found };
  if (block !== null && block < state.startBlock)
    throw new ApiProblem(
      'not_found',
      `transaction ${hash} is in block ${block}; blocks before ${state.startBlock} are not indexed here (START_BLOCK)`,
      { blockNumber: block, indexedFrom: state.startBlock },
    );
  if (block !== null)
    throw new ApiProblem('indexing', `transaction ${hash} is in block ${block}, which is not indexed here yet`, {
      blockNumber: block,
    });
  const problem = unproven(deps, state, `transaction ${hash}`);
  if (problem) throw problem;
  return { state, found };
}

/**
 * Finds a block by hash. If the hash is unknown, asks the nodes for the number, waits for this block and looks again.
 * @throws ApiProblem indexing if a node has the block at an unfinalized number; node_unavailable
 */
export async function findBlockByHash<T>(
  deps: ReachDeps & CoverageDeps,
  hash: string,
  find: (state: ChainState) => Promise<T | undefined>,
): Promise<Found<T>> {
  const first = await look(deps, find);
  if (first.found !== undefined) return first;
  const number = await askBlockNumber(deps, 'eth_getBlockByHash', [hash, false]);
  if (number === undefined)
    throw new ApiProblem('node_unavailable', `block ${hash} is not indexed, and no node answered whether it exists`);
  if (number === null) return first;
  await reachBlock(deps, number);
  const again = await look(deps, find);
  // at a finalized number, the block of the node is not on the chain
  if (again.found === undefined && number > finalThrough(again.state))
    throw new ApiProblem('indexing', `block ${hash} has the number ${number}, which is not indexed here yet`, {
      blockNumber: number,
    });
  return again;
}

/** @returns block number; null if no node that answered knows it; undefined if no node answered */
async function askBlockNumber(
  { client }: Pick<NodeDeps, 'client'>,
  method: 'eth_getTransactionReceipt' | 'eth_getBlockByHash',
  params: readonly unknown[],
): Promise<number | null | undefined> {
  const replies = await Promise.allSettled(
    client.endpoints.map((endpoint) =>
      client.call<{ blockNumber?: unknown; number?: unknown } | null>(method, params, {
        endpoint,
        retries: 0,
        signal: AbortSignal.timeout(nodeTimeoutMs),
      }),
    ),
  );
  const answers = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  if (answers.length === 0) return undefined;
  const numbers = answers
    .map((answer) => Number(answer?.blockNumber ?? answer?.number ?? Number.NaN))
    .filter(Number.isSafeInteger);
  return numbers.length === 0 ? null : Math.max(...numbers);
}
