import { toQuantity } from '#chain/codec/hex.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import { storedHash } from '../follow/finalized-comparison.ts';
import { asHead } from '../follow/read-head.ts';

/**
 * Reads the state of accounts at a finalized block. Checks that the node has this block: one on another branch would
 * answer too.
 * @param method takes an address and a block
 * @returns the results in the order of the addresses
 * @throws TransportError, NodeError; Error if the block is not stored, or the node has another one
 */
export async function readAtBlock(
  deps: StoreDeps & NodeDeps,
  method: 'eth_getBalance' | 'eth_getCode',
  addresses: readonly string[],
  block: number,
): Promise<unknown[]> {
  const at = toQuantity(block);
  const calls = [
    ...addresses.map((address) => ({ method, params: [address, at] })),
    { method: 'eth_getBlockByNumber', params: [at, false] },
  ];
  const [{ results, endpoint }, stored] = await Promise.all([
    deps.client.batch(calls, { minHead: block, signal: deps.signal }),
    storedHash(deps, block),
  ]);
  const hash = asHead(results.pop())?.hash;
  if (stored !== undefined && hash === stored) return results;
  const difference = `block ${block} has hash ${hash} on this endpoint, the stored hash is ${stored}`;
  if (stored !== undefined) endpoint.reportInvalid(difference); // the next attempt uses another endpoint
  throw new Error(difference);
}
