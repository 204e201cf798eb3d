import { InvalidChainData } from '#chain/errors.ts';
import { getFirst } from '#runtime/lists.ts';
import type { ChainWindow } from './chain-window.ts';
import type { HeadBlock } from './fetch-head-block.ts';

export interface Fork {
  readonly forkBlock: number;
  /** Checked blocks of the new branch, lowest first. */
  readonly branch: readonly HeadBlock[];
}

/** A branch forks below the finalized block: the node is faulty, or the chain broke finality. */
export class ReorgBelowFinalizedError extends Error {
  override readonly name = 'ReorgBelowFinalizedError';
}

/**
 * Finds the fork of a new branch. Fetches its blocks before any block is removed.
 * @throws ReorgBelowFinalizedError; then nothing may be written
 */
export async function findFork(
  window: ChainWindow,
  top: HeadBlock,
  fetchByHash: (hash: string, number: number) => Promise<HeadBlock>,
): Promise<Fork> {
  const branch: HeadBlock[] = [top];
  for (;;) {
    const { block } = getFirst(branch).bundle;
    const parent = Number(block.number) - 1;
    const parentHash = block.parentHash.toLowerCase();
    if (window.at(parent)?.hash === parentHash) return { forkBlock: parent, branch };
    if (parent <= window.finalized.number) {
      throw new ReorgBelowFinalizedError(
        `the branch of block ${top.bundle.block.number} forks below the finalized block ${window.finalized.number}`,
      );
    }
    const below = await fetchByHash(parentHash, parent);
    const { hash } = below.bundle.block;
    if (hash.toLowerCase() !== parentHash)
      throw new InvalidChainData('wrong_block_hash', parent, `requested ${parentHash}, got ${hash}`);
    branch.unshift(below);
  }
}
