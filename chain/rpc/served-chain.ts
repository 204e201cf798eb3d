/** Compares the chain that a node serves with the expected one. */
import { isHash, zeroHash } from '../codec/hex.ts';
import { NodeError, WrongChainError } from '../errors.ts';
import type { AskEndpoint } from './admit-endpoints.ts';
import type { Endpoint } from './endpoint.ts';

export interface ConfiguredChain {
  readonly chainId: number;
  /** GENESIS_HASH. Without it, a node may lack block 0. */
  readonly genesisHash: string | undefined;
}

/**
 * @returns the hash of block 0; `zeroHash` if the node lacks that block
 * @throws WrongChainError if the node has another chain id, or lacks the block to compare with GENESIS_HASH; errors of `ask`
 */
export async function readGenesisHash(
  { chainId, genesisHash }: ConfiguredChain,
  { name }: Endpoint,
  ask: AskEndpoint,
): Promise<string> {
  const nodeChainId = Number(await ask('eth_chainId', []));
  if (nodeChainId !== chainId)
    throw new WrongChainError(
      `endpoint ${name} serves chain ${nodeChainId}, CHAIN_ID is ${chainId}: set CHAIN_ID=${nodeChainId} for this chain, or another RPC_URL`,
    );
  const block = (await ask('eth_getBlockByNumber', ['0x0', false]).catch((error: unknown) => {
    // a node without old blocks may answer with an error instead of null
    if (error instanceof NodeError && genesisHash === undefined) return null;
    throw error;
  })) as { hash?: unknown } | null;
  if (isHash(block?.hash)) return block.hash.toLowerCase();
  // without block 0, only the chain id can be checked
  if (genesisHash !== undefined)
    throw new WrongChainError(
      `endpoint ${name} has no block 0 to compare with GENESIS_HASH: unset GENESIS_HASH or use a node that has block 0`,
    );
  return zeroHash;
}

/**
 * @param hash result of `readGenesisHash`
 * @param expected undefined or `zeroHash`: unknown, every chain passes
 * @throws WrongChainError
 */
export function assertGenesis(
  { genesisHash }: ConfiguredChain,
  { name }: Endpoint,
  hash: string,
  expected: string | undefined,
): void {
  if (hash === zeroHash || !isOtherGenesis(expected, hash)) return;
  const remedy = genesisHash
    ? ': correct RPC_URL or GENESIS_HASH'
    : ' of the stored chain: correct RPC_URL, or set CLICKHOUSE_DATABASE to a new name';
  throw new WrongChainError(`endpoint ${name} serves genesis ${hash}, expected ${expected}${remedy}`);
}

export const isOtherGenesis = (known: string | undefined, hash: string): boolean =>
  known !== undefined && known !== zeroHash && known !== hash;
