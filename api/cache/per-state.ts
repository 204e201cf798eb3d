/** Values that change with the state of the chain alone. */
import type { ChainState } from '#sql/snapshot.ts';
import type { CacheCount } from './cache-count.ts';
import { Memo } from './memo.ts';

export class PerState<T> {
  readonly #values: Memo<T>;

  constructor(max: number) {
    this.#values = new Memo(max);
  }

  get count(): CacheCount {
    return this.#values.count;
  }

  /** The value of `key` in this state; a failure is not kept. */
  of(key: string, state: Pick<ChainState, 'version' | 'headHash'>, compute: () => Promise<T>): Promise<T> {
    return this.#values.of(`${key}@${state.version}@${state.headHash}`, compute);
  }
}
