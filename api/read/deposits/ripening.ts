/**
 * Finds blocks whose deposits become creditable. A new head makes the block 20 below it creditable. This happens once,
 * unless a reorg removes that block.
 */
import { getFirst } from '#runtime/lists.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { requiredConfirmations } from './rules.ts';

export interface Added {
  readonly sequence: number;
  readonly number: number;
  readonly hash: string;
}

/** Returns the block that was added last at each height, before step `before` (a sequence number). */
export type ReadAdded = (fromBlock: number, toBlock: number, before: number) => Promise<readonly Added[]>;

/** Heights in memory. After a deeper reorg, lower heights are read again. */
const maxHeights = 1_000;

/** Needs all added and removed blocks, in order. */
export class Ripening {
  readonly #last = new Map<number, Added>();
  #known: { low: number; high: number } | undefined;
  readonly readAdded: ReadAdded;

  constructor(readAdded: ReadAdded) {
    this.readAdded = readAdded;
  }

  /** Returns for each step (added or removed block) the block that it made creditable, if any. */
  async ripenedBy(steps: readonly AnchorEvent[]): Promise<(Added | undefined)[]> {
    const heights = steps.map((step) => step.number);
    const low = Math.max(0, Math.min(...heights) - requiredConfirmations);
    const high = Math.max(...heights);
    await this.#know(low, high, getFirst(steps).sequence);
    const ripened = steps.map((step) => (step.kind === 'added' ? this.#add(step) : undefined));
    this.#deleteBelow(Math.min(low, high - maxHeights));
    return ripened;
  }

  #add({ sequence, number, hash }: AnchorEvent): Added | undefined {
    const ripe = this.#last.get(number - requiredConfirmations);
    const earlier = this.#last.get(number);
    this.#last.set(number, { sequence, number, hash });
    const wasRipe = ripe && earlier && earlier.sequence > ripe.sequence;
    return wasRipe ? undefined : ripe;
  }

  async #know(low: number, high: number, before: number): Promise<void> {
    const known = this.#known;
    if (!known || low > known.high + 1 || high < known.low - 1) {
      this.#last.clear();
      await this.#read(low, high, before);
      this.#known = { low, high };
      return;
    }
    if (low < known.low) await this.#read(low, known.low - 1, before);
    if (high > known.high) await this.#read(known.high + 1, high, before);
    this.#known = { low: Math.min(low, known.low), high: Math.max(high, known.high) };
  }

  async #read(low: number, high: number, before: number): Promise<void> {
    for (const block of await this.readAdded(low, high, before)) this.#last.set(block.number, block);
  }

  #deleteBelow(low: number): void {
    if (!this.#known || low <= this.#known.low) return;
    for (let number = this.#known.low; number < low; number++) this.#last.delete(number);
    this.#known.low = low;
  }
}
