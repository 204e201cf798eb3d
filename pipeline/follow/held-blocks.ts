import type { BlockBundle } from '#chain/rpc/wire-types.ts';

/** Maximum transactions in memory. Each takes about 3 kB with its receipt. */
const maxTransactions = 50_000;

/** Caches unfinalized blocks, so that they need not be fetched again to become final. */
export class HeldBlocks {
  readonly #bundles = new Map<number, BlockBundle>();
  #transactions = 0;

  /** Adds the newest block. Drops the oldest ones above the maximum number of transactions. */
  add(bundle: BlockBundle): void {
    this.#bundles.set(Number(bundle.block.number), bundle);
    this.#transactions += bundle.receipts.length;
    for (const number of this.#bundles.keys()) {
      if (this.#transactions <= maxTransactions) break;
      this.drop(number);
    }
  }

  drop(number: number): void {
    this.#transactions -= this.#bundles.get(number)?.receipts.length ?? 0;
    this.#bundles.delete(number);
  }

  dropThrough(last: number): void {
    for (const number of [...this.#bundles.keys()]) if (number <= last) this.drop(number);
  }

  /** Returns the cached blocks at the end of a range without a gap, ascending. */
  getEnd(fromBlock: number, toBlock: number): BlockBundle[] {
    const held: BlockBundle[] = [];
    for (let number = toBlock; number >= fromBlock; number--) {
      const bundle = this.#bundles.get(number);
      if (!bundle) break;
      held.push(bundle);
    }
    return held.reverse();
  }
}
