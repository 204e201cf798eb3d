/** From a block that does not fit back to the last one that both branches share. */
import { InvalidChainData } from '#chain/errors.ts';
import { firstOf } from '#runtime/lists.ts';
import type { ChainWindow } from './chain-window.ts';
import type { HeadBlock } from './fetch-head-block.ts';

export interface Fork {
  /** Last block that both branches share. */
  readonly forkBlock: number;
  /** The new branch above it, lowest first, whole and checked. */
  readonly branch: readonly HeadBlock[];
}

/** The branch reaches below the finalized height: a faulty node, or a chain that broke its promise. */
export class ReorgBelowFinalizedError extends Error {
  override readonly name = 'ReorgBelowFinalizedError';
}

/**
 * Walks the new branch down by parent hash, so that all of it is fetched before anything is removed.
 * @param fetchByHash gives the whole block of a hash
 * @throws ReorgBelowFinalizedError; nothing may then be written
 */
export async function findFork(
  window: ChainWindow,
  top: HeadBlock,
  fetchByHash: (hash: string, number: number) => Promise<HeadBlock>,
): Promise<Fork> {
  const branch: HeadBlock[] = [top];
  for (;;) {
    const { block } = firstOf(branch).bundle;
    const parent = Number(block.number) - 1;
    const parentHash = block.parentHash.toLowerCase();
    if (window.at(parent)?.hash === parentHash) return { forkBlock: parent, branch };
    if (parent <= window.finalized.number) {
      throw new ReorgBelowFinalizedError(
        `a branch up to block ${top.bundle.block.number} leaves our chain below the finalized block ${window.finalized.number}`,
      );
    }
    const below = await fetchByHash(parentHash, parent);
    const { hash } = below.bundle.block;
    if (hash.toLowerCase() !== parentHash)
      throw new InvalidChainData('wrong_block_hash', parent, `asked for ${parentHash}, got ${hash}`);
    branch.unshift(below);
  }
}
