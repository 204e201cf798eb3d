/** Values that many requests need: computed once, shared by all who ask while it is under way and after; a failure is not kept. */
import { LRUCache } from 'lru-cache';
import { CacheCount } from './cache-count.ts';

export class Memo<T> {
  readonly count = new CacheCount();
  readonly #values: LRUCache<string, { value: Promise<T> }>;

  constructor(max: number) {
    this.#values = new LRUCache({ max });
  }

  /** @param key everything that the value depends on */
  of(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.count.note(this.#values.get(key));
    if (known) return known.value;
    const value = compute();
    this.#values.set(key, { value });
    value.catch(() => this.#values.delete(key));
    return value;
  }
}
