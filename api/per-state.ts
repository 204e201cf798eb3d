/** Values that many requests need and that change with the state of the chain alone: computed once, shared by all who ask. */
import { LRUCache } from 'lru-cache';
import type { ChainState } from '#sql/snapshot.ts';

export class PerState<T> {
  readonly #values: LRUCache<string, { value: Promise<T> }>;

  constructor(max: number) {
    this.#values = new LRUCache({ max });
  }

  /** The value of `key` in this state; a failure is not kept. */
  of(key: string, state: Pick<ChainState, 'version' | 'headHash'>, compute: () => Promise<T>): Promise<T> {
    const full = `${key}@${state.version}@${state.headHash}`;
    const known = this.#values.get(full);
    if (known) return known.value;
    const value = compute();
    this.#values.set(full, { value });
    value.catch(() => this.#values.delete(full));
    return value;
  }
}
