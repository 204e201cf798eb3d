/**
 * Compares finalized blocks with the nodes. A node that has another block there contradicts what is settled: the service
 * then holds and says so, and repairs nothing.
 * @source design 3, rules 5 and 6
 */
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import type { PipelineDeps, StoreDeps } from '../deps.ts';
import type { Contradiction } from '../report.ts';
import { blockAt } from './read-head.ts';

/** What the endpoints say of one finalized block. */
export interface Comparison {
  readonly agreeing: readonly Endpoint[];
  readonly contradicting: readonly { readonly endpoint: Endpoint; readonly hash: string }[];
}

/** keep: what is stored stands; hold: it is in doubt; follow: so many contradict it that their chain is the chain. */
export type Decision = 'keep' | 'hold' | 'follow';

/** Fewer endpoints can't outvote each other: one of them is followed by an operator's order alone. */
const minVoters = 3;

/**
 * @param endpoints that are configured, silent ones among them
 * @param mayFollow DEEP_REORG=follow
 */
export function decide({ agreeing, contradicting }: Comparison, endpoints: number, mayFollow: boolean): Decision {
  if (contradicting.length === 0) return 'keep';
  const others = new Map<string, number>();
  for (const { hash } of contradicting) others.set(hash, (others.get(hash) ?? 0) + 1);
  const most = Math.max(...others.values());
  if (isMajority(agreeing.length, endpoints)) return 'keep';
  const isAlone = endpoints === 1;
  return mayFollow && (isMajority(most, endpoints) || isAlone) ? 'follow' : 'hold';
}

/** @param endpoints that are configured, silent ones among them */
export const isMajority = (votes: number, endpoints: number) => endpoints >= minVoters && 2 * votes > endpoints;

type CompareDeps = Pick<PipelineDeps, 'client' | 'signal'>;

/** Endpoints that do not answer, or do not have the block, say nothing. */
export async function compareAt({ client, signal }: CompareDeps, block: number, stored: string): Promise<Comparison> {
  const agreeing: Endpoint[] = [];
  const contradicting: { endpoint: Endpoint; hash: string }[] = [];
  await Promise.all(
    client.endpoints.map(async (endpoint) => {
      const hash = (await blockAt({ client, signal }, endpoint, block).catch(() => undefined))?.hash;
      if (hash === stored) agreeing.push(endpoint);
      else if (hash !== undefined) contradicting.push({ endpoint, hash });
    }),
  );
  return { agreeing, contradicting };
}

export const contradictionsOf = (comparison: Comparison, block: number, stored: string): Contradiction[] =>
  comparison.contradicting.map(({ endpoint, hash }) => ({ endpoint: endpoint.name, block, stored, theirs: hash }));

/**
 * Finds the last finalized block that an endpoint shares with what is stored: both chains agree up to it and differ above.
 * A height that is not stored, or that the endpoint does not have any more, counts as shared.
 * @param low a block that is known to be shared, or the first one
 * @param high a block that differs
 * @throws TransportError where the endpoint does not answer, or the signal's reason: half a search says nothing
 */
export async function findFinalizedFork(
  deps: Pick<PipelineDeps, 'client' | 'database' | 'signal'>,
  endpoint: Endpoint,
  low: number,
  high: number,
): Promise<number> {
  let [shared, differs] = [low, high];
  while (differs - shared > 1) {
    deps.signal.throwIfAborted();
    const middle = Math.floor((shared + differs) / 2);
    const [stored, theirs] = await Promise.all([storedHash(deps, middle), blockAt(deps, endpoint, middle)]);
    if (stored === undefined || theirs === undefined || stored === theirs.hash) shared = middle;
    else differs = middle;
  }
  return shared;
}

/** Hash of a stored block; undefined where it is not stored. */
export async function storedHash({ database }: StoreDeps, block: number): Promise<string | undefined> {
  const [row] = await database.read('stored_header', { block_number: block });
  return row?.hash;
}
