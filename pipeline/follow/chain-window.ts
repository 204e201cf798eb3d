/** In-memory headers of the newest finalized block and later blocks. */
import type { HeadRef } from '#chain/rpc/wire-types.ts';
import { getFirst, getLast } from '#runtime/lists.ts';

export class ChainWindow {
  readonly #blocks: HeadRef[];

  /**
   * @param blocks consecutive headers, the finalized block first
   * @throws RangeError when a parent hash doesn't match
   */
  constructor(blocks: readonly HeadRef[]) {
    for (const [i, block] of blocks.entries()) {
      const before = blocks[i - 1];
      if (before && (block.number !== before.number + 1 || block.parentHash !== before.hash)) {
        throw new RangeError(`block ${block.number} does not name block ${before.number} as its parent`);
      }
    }
    if (blocks.length === 0)
      throw new RangeError('the list of unfinalized blocks must begin with the finalized block, but is empty');
    this.#blocks = [...blocks];
  }

  get finalized(): HeadRef {
    return getFirst(this.#blocks);
  }

  get head(): HeadRef {
    return getLast(this.#blocks);
  }

  at(number: number): HeadRef | undefined {
    return this.#blocks[number - this.finalized.number];
  }

  /** @throws Error if the block at this height differs: the followed branch may be that of a minority of nodes */
  assertHas({ number, hash }: HeadRef): void {
    const own = this.at(number)?.hash;
    if (own !== undefined && own !== hash)
      throw new Error(`a node reports block ${number} as finalized with hash ${hash}, but the followed one has ${own}`);
  }

  links(block: HeadRef): boolean {
    return (
      block.parentHash === this.head.hash &&
      block.number === this.head.number + 1 &&
      block.timestamp >= this.head.timestamp
    );
  }

  /** Adds the next block. @throws RangeError if it is older than the head, or doesn't name the head as its parent */
  append(block: HeadRef): void {
    if (!this.links(block)) {
      throw new RangeError(
        `block ${block.number} does not name the head ${this.head.number} as its parent, or is older`,
      );
    }
    this.#blocks.push(block);
  }

  above(number: number): readonly HeadRef[] {
    return this.#blocks.slice(Math.max(number - this.finalized.number + 1, 1));
  }

  cutAbove(number: number): HeadRef[] {
    return this.#blocks.splice(Math.max(number - this.finalized.number + 1, 1));
  }

  finalize(number: number): void {
    this.#blocks.splice(0, Math.max(0, Math.min(number - this.finalized.number, this.#blocks.length - 1)));
  }
}
