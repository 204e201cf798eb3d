/** Undefined fields are not checked. */
export interface ExpectedChain {
  readonly chainId?: number | undefined;
  /** Hash of block 0, lower case. */
  readonly genesisHash?: string | undefined;
}

/**
 * Compares the chain of a node with the expected one.
 * @param read sends a request to the node
 * @returns the difference; undefined if there is none
 * @throws as `read`; Error if the node has no block 0
 */
export async function findChainDifference(
  { chainId, genesisHash }: ExpectedChain,
  read: (method: string, params: readonly unknown[]) => Promise<unknown>,
): Promise<string | undefined> {
  if (chainId !== undefined) {
    const served = Number(await read('eth_chainId', []));
    if (served !== chainId) return `the node serves chain ${served}, not ${chainId}`;
  }
  if (genesisHash === undefined) return undefined;
  const block = (await read('eth_getBlockByNumber', ['0x0', false])) as { hash?: unknown } | null;
  if (typeof block?.hash !== 'string') throw new Error('the node has no block 0 to compare with GENESIS_HASH');
  const served = block.hash.slice(0, genesisHash.length).toLowerCase();
  return served === genesisHash ? undefined : `the node serves genesis ${served}, not ${genesisHash}`;
}
