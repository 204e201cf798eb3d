import { InvalidChainData } from '../errors.ts';
import type { BlockBundle } from '../rpc/wire-types.ts';

/**
 * Checks each block's parent hash, and that no block is older than its parent.
 * @param before hash of the block before the first; undefined: unknown
 * @throws InvalidChainData for the first block that fails
 */
export function checkLinks(bundles: readonly BlockBundle[], before: string | undefined): void {
  let parent = before;
  let parentTime = 0;
  for (const { block } of bundles) {
    const number = Number(block.number);
    if (parent !== undefined && block.parentHash.toLowerCase() !== parent.toLowerCase()) {
      throw new InvalidChainData(
        'parent_link',
        number,
        `the block has parentHash ${block.parentHash}, but the previous block has hash ${parent}`,
      );
    }
    if (Number(block.timestamp) < parentTime)
      throw new InvalidChainData('timestamp', number, 'the block is older than its parent');
    parent = block.hash;
    parentTime = Number(block.timestamp);
  }
}
