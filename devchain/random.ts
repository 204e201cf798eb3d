/** Random numbers from a seed, so that a dev chain is reproducible. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a random number in [0, 1). @source mulberry32, public domain */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Both limits are inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    const at = Math.floor(this.next() * items.length);
    for (const item of items.slice(at, at + 1)) return item;
    throw new RangeError('cannot pick from an empty list');
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}
