import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { askEach } from '#runtime/ask-each.ts';
import { getFirst, groupBy } from '#runtime/lists.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import type { Contradiction } from '../report.ts';
import type { ChainWindow } from './chain-window.ts';
import { blockAt } from './read-head.ts';

export interface Comparison {
  readonly agreeing: readonly Endpoint[];
  readonly contradicting: readonly { readonly endpoint: Endpoint; readonly hash: string }[];
}

/** keep: the stored block stays final; hold: wait until the nodes agree; follow: follow the nodes. */
export type Decision = 'keep' | 'hold' | 'follow';

const minVoters = 3;

/**
 * Decides by majority whether a stored block stays final.
 * @param endpoints number of all configured endpoints, including those without an answer
 * @source docs/mechanisms.md#following-the-head
 */
export function decide({ agreeing, contradicting }: Comparison, endpoints: number, mayFollow: boolean): Decision {
  if (contradicting.length === 0) return 'keep';
  const others = new Map<string, number>();
  for (const { hash } of contradicting) others.set(hash, (others.get(hash) ?? 0) + 1);
  const most = Math.max(...others.values());
  if (isMajority(agreeing.length, endpoints)) return 'keep';
  const isOnlyEndpoint = endpoints === 1;
  return mayFollow && (isMajority(most, endpoints) || isOnlyEndpoint) ? 'follow' : 'hold';
}

export const isMajority = (votes: number, endpoints: number) => endpoints >= minVoters && 2 * votes > endpoints;

/** Returns the hash of a block on an endpoint; undefined without an answer or the block. */
const hashOn = async (deps: NodeDeps, endpoint: Endpoint, block: number): Promise<string | undefined> =>
  (await blockAt(deps, endpoint, block).catch(() => undefined))?.hash;

/** Maximum wait for the answers of slow endpoints, ms: they vote too. */
const graceMs = 10_000;
const late = new WeakSet<Endpoint>();

/** Requests a block from every endpoint. Slow endpoints and those without the block count for neither side. */
export async function compareAt({ client, signal }: NodeDeps, block: number, stored: string): Promise<Comparison> {
  const agreeing: Endpoint[] = [];
  const contradicting: { endpoint: Endpoint; hash: string }[] = [];
  const ask = (endpoint: Endpoint) => hashOn({ client, signal }, endpoint, block);
  const hashes = await askEach(client.endpoints, ask, { late, graceMs });
  for (const [i, endpoint] of client.endpoints.entries()) {
    const hash = hashes[i];
    if (hash === stored) agreeing.push(endpoint);
    else if (hash !== undefined) contradicting.push({ endpoint, hash });
  }
  return { agreeing, contradicting };
}

interface Votes {
  readonly hash: string;
  readonly endpoints: readonly Endpoint[];
}

/** Requests a block from every endpoint. @returns the reported hashes, most frequent first */
async function readVotes(deps: NodeDeps, block: number): Promise<Votes[]> {
  const { contradicting: answers } = await compareAt(deps, block, '');
  return [...groupBy(answers, ({ hash }) => hash)]
    .map(([hash, some]) => ({ hash, endpoints: some.map(({ endpoint }) => endpoint) }))
    .sort((a, b) => b.endpoints.length - a.endpoints.length);
}

/**
 * Returns the hash of a block on a majority of at least three endpoints, once these have answered; undefined if none.
 */
export async function majorityHash(deps: NodeDeps, block: number): Promise<string | undefined> {
  const { endpoints } = deps.client;
  if (endpoints.length < minVoters) return undefined;
  const votes = new Map<string, number>();
  return new Promise((resolve) => {
    const asked = endpoints.map(async (endpoint) => {
      const hash = await hashOn(deps, endpoint, block);
      if (hash === undefined) return;
      votes.set(hash, (votes.get(hash) ?? 0) + 1);
      if (isMajority(votes.get(hash) ?? 0, endpoints.length)) resolve(hash);
    });
    void Promise.all(asked).then(() => resolve(undefined));
  });
}

/**
 * Compares a block on all endpoints. Sends no block requests to endpoints outside the majority, until a later
 * comparison finds them on its branch.
 * @returns the hash of the majority of at least three endpoints; undefined if none
 */
export async function reportMinority(deps: NodeDeps, block: number): Promise<string | undefined> {
  const { length } = deps.client.endpoints;
  if (length < minVoters) return undefined;
  return reportVotes(await readVotes(deps, block), block, length)?.hash;
}

/**
 * Reports votes to their endpoints. @param endpoints number of all configured endpoints @returns the majority, if any
 */
function reportVotes([most, ...others]: readonly Votes[], block: number, endpoints: number): Votes | undefined {
  if (!most || !isMajority(most.endpoints.length, endpoints)) return undefined;
  for (const endpoint of most.endpoints) endpoint.reportBranch(block);
  for (const other of others)
    for (const endpoint of other.endpoints)
      endpoint.reportBranch(
        block,
        `block ${block} has hash ${other.hash} on this endpoint, but ${most.hash} on most others`,
      );
  return most;
}

/**
 * Returns an endpoint of the majority; undefined when all agree.
 * @throws Error when endpoints disagree without a majority of at least three
 */
export async function findTrustedEndpoint(deps: NodeDeps, block: number): Promise<Endpoint | undefined> {
  const votes = await readVotes(deps, block);
  const most = reportVotes(votes, block, deps.client.endpoints.length);
  if (votes.length <= 1) return undefined;
  if (most) return getFirst(most.endpoints);
  const heads = votes.flatMap(({ hash, endpoints }) => endpoints.map(({ name }) => `${name} has ${hash}`)).join(', ');
  throw new Error(`endpoints disagree about block ${block}: ${heads}. Remove the wrong endpoints from RPC_URL`);
}

/**
 * Compares the block that a node reports as finalized with the followed chain. If they differ, finds the endpoints
 * outside the majority, and the next requests go to others. @throws Error if the followed chain has another block
 */
export async function assertFollowed(deps: NodeDeps, window: ChainWindow, tag: HeadRef): Promise<void> {
  try {
    window.assertHas(tag);
  } catch (error) {
    await reportMinority(deps, tag.number);
    throw error;
  }
}

/**
 * Compares a block with every endpoint before it becomes final.
 * @returns the compared hash (a reorg may have replaced the block meanwhile)
 * @throws Error if endpoints contradict the followed block, unless a majority confirms it
 */
export async function assertUndisputed(deps: NodeDeps, window: ChainWindow, block: number): Promise<string> {
  const followed = window.at(block)?.hash;
  if (followed === undefined) throw new RangeError(`block ${block} is not followed`);
  const comparison = await compareAt(deps, block, followed);
  const [other] = comparison.contradicting;
  if (!other || decide(comparison, deps.client.endpoints.length, false) === 'keep') return followed;
  await reportMinority(deps, block);
  throw new Error(`block ${block} has hash ${followed}, but ${other.hash} on ${other.endpoint.name}: it is not final`);
}

export const listContradictions = (comparison: Comparison, block: number, stored: string): Contradiction[] =>
  comparison.contradicting.map(({ endpoint, hash }) => ({ endpoint: endpoint.name, block, stored, theirs: hash }));

/**
 * Finds by bisection the last stored block that an endpoint also has. Blocks that the endpoint lacks count as shared.
 * @returns undefined if there is none above `low`
 * @throws TransportError when the endpoint doesn't answer
 */
export async function findFinalizedFork(
  deps: StoreDeps & NodeDeps,
  endpoint: Endpoint,
  low: number,
  high: number,
): Promise<number | undefined> {
  let shared: number | undefined;
  let [below, differs] = [low, high];
  while (differs - below > 1) {
    deps.signal.throwIfAborted();
    const middle = Math.floor((below + differs) / 2);
    const [stored] = await deps.database.read('stored_header_up_to', { above: below, block_number: middle });
    const block = stored && Number(stored.block_number);
    const theirs = block === undefined ? undefined : await blockAt(deps, endpoint, block);
    if (block !== undefined && theirs !== undefined && theirs.hash !== stored?.hash) {
      differs = block;
      continue;
    }
    shared = block ?? shared;
    below = middle;
  }
  return shared;
}

export async function storedHash({ database }: StoreDeps, block: number): Promise<string | undefined> {
  const [row] = await database.read('stored_header', { block_number: block });
  return row?.hash;
}
