/**
 * Which block each step of the head makes creditable: the one 20 below it, the first time since that block came onto the
 * chain. A function of the order of the steps alone, wherever a reader begins.
 */
import { firstOf } from '#runtime/lists.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { requiredConfirmations } from './rules.ts';

/** A block when it last became the head. */
export interface Added {
  readonly sequence: number;
  readonly number: number;
  readonly hash: string;
}

/**
 * Reads, of each height of a range, the block that last became the head before a step.
 * @param fromBlock inclusive, as is `toBlock`
 * @param before sequence of the step, exclusive
 */
export type ReadAdded = (fromBlock: number, toBlock: number, before: number) => Promise<readonly Added[]>;

/** Heights kept in memory below the newest: a reorg that goes deeper has them read again. */
const keptHeights = 1_000;

/** For one reader: it is given its steps one after the other, without gaps. */
export class Ripening {
  /** The newest block at each height of `#known`, as of the last step given. */
  readonly #last = new Map<number, Added>();
  #known: { low: number; high: number } | undefined;
  readonly readAdded: ReadAdded;

  constructor(readAdded: ReadAdded) {
    this.readAdded = readAdded;
  }

  /** For each step the block that it makes creditable; undefined: none. */
  async ripenedBy(steps: readonly AnchorEvent[]): Promise<(Added | undefined)[]> {
    const heights = steps.map((step) => step.number);
    const low = Math.max(0, Math.min(...heights) - requiredConfirmations);
    const high = Math.max(...heights);
    await this.#know(low, high, firstOf(steps).sequence);
    const ripened = steps.map((step) => (step.kind === 'added' ? this.#add(step) : undefined));
    this.#forgetBelow(Math.min(low, high - keptHeights));
    return ripened;
  }

  #add({ sequence, number, hash }: AnchorEvent): Added | undefined {
    const ripe = this.#last.get(number - requiredConfirmations);
    const earlier = this.#last.get(number);
    this.#last.set(number, { sequence, number, hash });
    // a block of this height stood on it before: it is creditable since then
    const wasRipe = ripe && earlier && earlier.sequence > ripe.sequence;
    return wasRipe ? undefined : ripe;
  }

  /** Makes heights known as they were before a step. */
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

  #forgetBelow(low: number): void {
    if (!this.#known || low <= this.#known.low) return;
    for (let number = this.#known.low; number < low; number++) this.#last.delete(number);
    this.#known.low = low;
  }
}
